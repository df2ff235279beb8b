import type { CommandHandler } from '../../commands/commandHandler.js';
import type { KeyStore } from '../../commands/keyStore.js';
import type { DefinitionPolicy } from '../../commands/toolSettings.js';
import type { Clock } from '../../platform/time/clock.js';
import type { NewId } from '../../platform/ids.js';
import type { JsonObject } from '../../platform/json.js';
import type { Resolve } from '../../platform/net/guardedLookup.js';
import type { Schedule } from '../../platform/time/schedule.js';
import type { ToolRegistry } from '../registry.js';
import type { ReachServers } from '../reachServers.js';
import type { RemoteTools } from '../remoteTools.js';
import type { LedgerRecords } from './repeating/ledgerRecords.js';

/** Everything dispatch works with; handed in by whoever puts the product together. */
export interface DispatchParts {
  readonly handler: CommandHandler;
  readonly registry: ToolRegistry;
  readonly remote: Pick<RemoteTools, 'call'>;
  readonly reach: ReachServers;
  readonly keys: KeyStore;
  /** Reads recorded calls and definitions back. */
  readonly records: LedgerRecords;
  /** Whether the ledger takes appends at all. */
  readonly writable: () => { readonly ok: boolean };
  readonly clock: Clock;
  readonly newId: NewId;
  readonly schedule: Schedule;
  /** Resolves host names, for URLs that a server is asked to fetch. */
  readonly resolve: Resolve;
  /** OS randomness for tools: a uniform integer in [0, below). */
  readonly randomInt: (below: number) => number;
  /** The deployment's rule for definitions that changed, where a workspace has none of its own. */
  readonly policy: DefinitionPolicy;
  /** How long a run may take, in milliseconds. */
  readonly timeouts: { readonly builtInMs: number; readonly remoteMs: number };
  /** Takes what went wrong beside a call; it never changes the answer. */
  readonly warn: (fields: JsonObject, message: string) => void;
}
