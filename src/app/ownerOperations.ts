import { acceptMcpDefinitions } from '../operations/acceptMcpDefinitions.js';
import { addMcpServer } from '../operations/addMcpServer.js';
import { awaitViews } from '../operations/awaitViews.js';
import { callTool } from '../operations/callTool.js';
import { closeWorkspace } from '../operations/closeWorkspace.js';
import { disableMcpServer } from '../operations/disableMcpServer.js';
import { enableMcpServer } from '../operations/enableMcpServer.js';
import { listParkedEvents } from '../operations/listParkedEvents.js';
import { openWorkspace } from '../operations/openWorkspace.js';
import { projectionsStatus } from '../operations/projectionsStatus.js';
import { rebuildProjections } from '../operations/rebuildProjections.js';
import { refreshMcpServer } from '../operations/refreshMcpServer.js';
import { removeMcpServer } from '../operations/removeMcpServer.js';
import { retryParkedEvents } from '../operations/retryParkedEvents.js';
import { setToolSwitch } from '../operations/setToolSwitch.js';
import { settleCall } from '../operations/settleCall.js';
import { skipParkedEvent } from '../operations/skipParkedEvent.js';
import type { Operation } from '../operations/operation.js';

const all = [
  acceptMcpDefinitions,
  addMcpServer,
  awaitViews,
  callTool,
  closeWorkspace,
  disableMcpServer,
  enableMcpServer,
  listParkedEvents,
  openWorkspace,
  projectionsStatus,
  rebuildProjections,
  refreshMcpServer,
  removeMcpServer,
  retryParkedEvents,
  setToolSwitch,
  settleCall,
  skipParkedEvent,
];

/** The operations that the owner's socket carries, by name. */
export const ownerOperations: ReadonlyMap<string, Operation<'owner'>> = new Map(
  all.map((operation) => [operation.name, operation as unknown as Operation<'owner'>]),
);
