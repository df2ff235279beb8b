import type { CommandHandler } from '../commands/commandHandler.js';
import type { DefinitionPolicy } from '../commands/toolSettings.js';
import type { RecordedEvent } from '../events/envelope.js';
import type { EventReader, EventStore } from '../events/eventStore.js';
import type { Clock } from '../platform/time/clock.js';
import type { NewId } from '../platform/ids.js';
import type { JsonObject } from '../platform/json.js';
import type { Vault } from '../platform/vault/vault.js';
import type { Views } from '../projections/views.js';
import type { EpochReport } from '../reactors/sealing/checking/pastEpochs.js';
import type { Prover } from '../reactors/sealing/prover.js';
import type { Sealer } from '../reactors/sealing/sealer.js';
import type { Dispatch } from '../tools/dispatch.js';
import type { ReachServers } from '../tools/reachServers.js';
import type { ToolRegistry } from '../tools/registry.js';
import type { LocalReach } from '../mcp/client/serverUrl.js';
import type { ConnectOutcome, RemoteTools } from '../tools/remoteTools.js';
import type { Schedule } from '../platform/time/schedule.js';
import type { SignInServices } from './servers/signIn/signInServices.js';

/** Finds the subject that stands for a person, without making one. */
export interface People {
  /** @param id as the chat service gives it */
  findPerson(id: string): Promise<string | null>;
}

/** What a check of the whole ledger found. */
export interface LedgerReport {
  readonly events: number;
  readonly damage: { readonly position: string | null; readonly kind: string; readonly detail: string } | null;
  /** How many of the events were taken from the tiles of a signed tree, unread. */
  readonly skipped: number;
  /** How many events the newest seal covers; 0: nothing is sealed. */
  readonly sealed: number;
  /** How many checkpoints outside the ledger it was compared with. */
  readonly outside: number;
  /** Oldest first; the last one is the present one. */
  readonly epochs: readonly EpochReport[];
}

/** Tells how far a check of the whole ledger is. */
export type OnChecked = (progress: { readonly done: number; readonly total: number }) => void;

/** For operations that read the ledger itself. */
export interface LedgerServices {
  readonly ledger: EventReader;
  readonly clock: Clock;
  readonly people: People;
  /** The values of each person in an event, `null` where the key is gone. */
  readonly openBoxes: (event: RecordedEvent) => ReadonlyArray<readonly [subject: string, values: JsonObject | null]>;
  readonly registry: ToolRegistry;
  readonly definitionPolicy: DefinitionPolicy;
  /** First quarantine of a streak of failures, as it is set now, in milliseconds. */
  readonly mcpCooldownMs: number;
  /** Checks every leaf, position and revision off the calling thread. */
  readonly verify: (options: { readonly fromCheckpoint: boolean }, onProgress: OnChecked, signal: AbortSignal) => Promise<LedgerReport>;
  /** Copies the ledger into a new file and checks the copy, off the calling thread. */
  readonly backup: (file: string, onProgress: OnChecked, signal: AbortSignal) => Promise<{ readonly events: number; readonly bytes: number }>;
}

/** Tells what lies in the vault, and opens none of it. */
export interface SecretsHeld {
  hasSecret(ownerId: string, name: string): Promise<boolean>;
}

/** For operations that read views. */
export interface ViewServices {
  readonly held: SecretsHeld;
  readonly views: Pick<Views, 'query'>;
  readonly clock: Clock;
  readonly people: People;
  readonly registry: ToolRegistry;
  readonly definitionPolicy: DefinitionPolicy;
}

/** What only the vault knows of a remote server. */
export interface ServerSecret {
  readonly url: string;
  /** Bearer token, or null for none. */
  readonly token: string | null;
}

/** Where the credentials and full URLs of remote servers lie, by server id. */
export interface ServerSecrets {
  /** In place of what was there. */
  put(serverId: string, secrets: ServerSecret): Promise<void>;
  /** In place of the token that was there; null: none. */
  setToken(serverId: string, token: string | null): Promise<void>;
  /** Null: nothing is stored of it. */
  get(serverId: string): Promise<ServerSecret | null>;
  delete(serverId: string): Promise<void>;
}

/** For operations that change or record something: everything the owner has. */
export interface OwnerServices {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly store: EventStore;
  readonly handler: CommandHandler;
  readonly sealer: Sealer;
  readonly prover: Prover;
  readonly dispatch: Dispatch;
  readonly views: Views;
  readonly remote: Pick<RemoteTools, 'disconnect'>;
  readonly reach: ReachServers;
  /** Connects once to a server that is not registered yet, lists its tools, and closes. */
  readonly probe: (target: ServerSecret & { readonly workspace: string }, signal: AbortSignal) => Promise<ConnectOutcome>;
  readonly secrets: ServerSecrets;
  readonly signIns: SignInServices;
  readonly schedule: Schedule;
  /** What servers may be reached beyond public addresses. */
  readonly localReach: LocalReach;
  readonly people: People;
  readonly held: SecretsHeld;
  readonly vault: Pick<Vault, 'destroySubjects' | 'backUp' | 'keyOf'>;
  /** As in `LedgerServices`. Whose values are shown to somebody else is recorded first. */
  readonly openBoxes: (event: RecordedEvent) => Promise<ReturnType<LedgerServices['openBoxes']>>;
  readonly registry: ToolRegistry;
  readonly definitionPolicy: DefinitionPolicy;
  readonly limits: { readonly mcpServersPerWorkspace: number };
  /** How long payloads may be kept, milliseconds; null: for ever. */
  readonly retention: { readonly toolCall: number | null; readonly toolRefusals: number | null };
}
