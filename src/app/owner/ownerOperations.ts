import { acceptMcpDefinitions } from '../../operations/servers/definitions/acceptMcpDefinitions.js';
import { addMcpServer } from '../../operations/servers/registering/addMcpServer.js';
import { applyRetention } from '../../operations/ledger/applyRetention.js';
import { awaitViews } from '../../operations/views/awaitViews.js';
import { beginExport } from '../../operations/export/beginExport.js';
import { backUpKeys } from '../../operations/keys/backUpKeys.js';
import { callTool } from '../../operations/calls/callTool.js';
import { closeWorkspace } from '../../operations/workspaces/closeWorkspace.js';
import { disableMcpServer } from '../../operations/servers/using/disableMcpServer.js';
import { enableMcpServer } from '../../operations/servers/using/enableMcpServer.js';
import { erasePerson } from '../../operations/privacy/erasePerson.js';
import { holdPerson } from '../../operations/privacy/holdPerson.js';
import { listParkedEvents } from '../../operations/views/listParkedEvents.js';
import { openCall } from '../../operations/calls/openCall.js';
import { openWorkspace } from '../../operations/workspaces/openWorkspace.js';
import { openPerson } from '../../operations/privacy/openPerson.js';
import { projectionsStatus } from '../../operations/views/projectionsStatus.js';
import { proveCall } from '../../operations/ledger/proveCall.js';
import { rebuildProjections } from '../../operations/views/rebuildProjections.js';
import { recordExport } from '../../operations/export/recordExport.js';
import { refreshMcpServer } from '../../operations/servers/definitions/refreshMcpServer.js';
import { releasePerson } from '../../operations/privacy/releasePerson.js';
import { removeMcpServer } from '../../operations/servers/registering/removeMcpServer.js';
import { retryParkedEvents } from '../../operations/views/retryParkedEvents.js';
import { sealLedger } from '../../operations/ledger/sealLedger.js';
import { replaceMcpCredential } from '../../operations/servers/registering/replaceMcpCredential.js';
import { signInToMcpServer } from '../../operations/servers/signIn/signInToMcpServer.js';
import { signOutOfMcpServer } from '../../operations/servers/signIn/signingOut/signOutOfMcpServer.js';
import { setMcpAudience } from '../../operations/servers/using/setMcpAudience.js';
import { setMcpToolSwitch } from '../../operations/servers/using/setMcpToolSwitch.js';
import { setDefinitionPolicy } from '../../operations/servers/definitions/setDefinitionPolicy.js';
import { setToolSwitch } from '../../operations/tools/setToolSwitch.js';
import { settleCall } from '../../operations/calls/settleCall.js';
import { skipParkedEvent } from '../../operations/views/skipParkedEvent.js';
import type { Operation } from '../../operations/operation.js';

const all = [
  acceptMcpDefinitions,
  addMcpServer,
  applyRetention,
  awaitViews,
  beginExport,
  backUpKeys,
  callTool,
  closeWorkspace,
  disableMcpServer,
  enableMcpServer,
  erasePerson,
  holdPerson,
  listParkedEvents,
  openCall,
  openPerson,
  openWorkspace,
  projectionsStatus,
  proveCall,
  rebuildProjections,
  recordExport,
  refreshMcpServer,
  releasePerson,
  removeMcpServer,
  retryParkedEvents,
  sealLedger,
  replaceMcpCredential,
  setMcpAudience,
  setMcpToolSwitch,
  setDefinitionPolicy,
  setToolSwitch,
  settleCall,
  signInToMcpServer,
  signOutOfMcpServer,
  skipParkedEvent,
];

/** The operations that the owner's socket carries, by name. */
export const ownerOperations: ReadonlyMap<string, Operation<'owner'>> = new Map(
  all.map((operation) => [operation.name, operation as unknown as Operation<'owner'>]),
);
