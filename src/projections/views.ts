import type { Position } from '../events/envelope.js';
import type { CallConditions, CallFilter, CallPage, CallRow, CountedRefusals } from './toolCallLog/queries.js';
import type { ServerView } from './mcpServers/queries.js';
import type { RegistryView } from './toolRegistry/queries.js';
import type { SnapshotView } from './toolNameSnapshots/queries.js';
import type { WorkspaceView } from './toolRegistry/queries.js';
import type { OpenCall } from './toolCallLog/openCalls.js';

/** How one view stands. */
export interface ViewStatus {
  readonly name: string;
  readonly version: number;
  /** `halted`: an event cannot be folded, or the disk does not let it go on; `off`: switched off by configuration. */
  readonly phase: 'catching_up' | 'live' | 'rebuilding' | 'halted' | 'off';
  readonly position: Position | null;
  readonly lagEvents: number;
  /** Age of the oldest event not folded yet, in seconds; 0 when there is none. */
  readonly lagSeconds: number;
  readonly parked: number;
  /** Why it halted. */
  readonly problem: string | null;
}

/** A view that cannot follow the ledger now. */
export interface LeftBehind {
  readonly view: string;
  readonly why: string;
}

/** How a rebuild goes; sent at least every 250 ms. */
export interface RebuildProgress {
  readonly views: readonly string[];
  readonly phase: 'folding' | 'indexing' | 'switching';
  readonly done: number;
  readonly total: number;
  readonly eventsPerSecond: number;
}

/** What a rebuild gave. */
export interface RebuildReport {
  readonly name: string;
  readonly events: number;
  /** SHA-256 over every row in order: equal to that of the live view at the same position. */
  readonly digest: string;
  readonly seconds: number;
}

/** An event that a view could not fold and set aside. */
export interface ParkedEvent {
  readonly view: string;
  readonly position: Position;
  readonly eventId: string;
  readonly type: string;
  readonly error: string;
  readonly attempts: number;
}

/** What can be asked of the views, by name: input and output. */
export interface ViewQueries {
  /** Calls by filter, newest first, in pages by cursor. */
  searchCalls: { input: CallFilter; output: CallPage };
  /** How many calls match, exactly. */
  countCalls: { input: CallConditions; output: number };
  /** How many refusals that were only counted would match; null where only a call can. */
  countedRefusals: { input: CallConditions; output: CountedRefusals | null };
  /** Which of the calls at some places of the log match; times are left aside. */
  matchingCalls: { input: { readonly filter: Omit<CallConditions, 'since' | 'until'>; readonly places: readonly number[] }; output: readonly number[] };
  /** The calls of a turn around a time, oldest first. */
  callsOfTurn: { input: { readonly workspace: string; readonly turn: string; readonly around: number }; output: readonly CallRow[] };
  /** Everything known of the servers of a workspace. */
  mcpServers: { input: { readonly workspace: string }; output: readonly ServerView[] };
  /** Facts from which tool availability in a workspace is judged, for display. */
  toolRegistry: { input: { readonly workspace: string }; output: RegistryView };
  /** Tool names last discovered per server: a bounded display cache; unknown is not empty. */
  toolNameSnapshots: { input: { readonly workspace: string }; output: readonly SnapshotView[] };
  /** All workspaces ever opened. */
  workspaces: { input: Record<string, never>; output: readonly WorkspaceView[] };
}

/** The read models, as the rest of the product uses them. Folding and searching happen off the calling thread. */
export interface Views {
  /**
   * Resolves when every named view (default: all) has folded `position` or is off. Nothing is waited for that cannot
   * happen: a view that is halted, or whose file cannot be written now, is left behind.
   * @returns the views that were left behind, when none was named
   * @throws Fault `view_halted` when a named view cannot get there
   */
  caughtUpTo(position: Position, options?: { readonly views?: readonly string[]; readonly signal?: AbortSignal }): Promise<readonly LeftBehind[]>;
  status(): Promise<readonly ViewStatus[]>;
  /** Builds the named views (empty: all) anew beside the live ones and switches over when they have caught up. */
  rebuild(names: readonly string[], onProgress: (progress: RebuildProgress) => void, signal: AbortSignal): Promise<readonly RebuildReport[]>;
  parked(): Promise<readonly ParkedEvent[]>;
  /** Tries the parked events of a view again, in order. @returns how many are still parked */
  retryParked(view: string): Promise<number>;
  /**
   * Calls without an ending, oldest first; after a start, before anything new runs, they are the orphans. Asked of the
   * thread that folds, so that no other need be started for it.
   */
  openCalls(): Promise<readonly OpenCall[]>;
  /**
   * Takes out of the files what folding has deleted for good.
   * @returns false when a reader is in the way; the next start tries again
   */
  sweep(): Promise<boolean>;
  query<Name extends keyof ViewQueries>(name: Name, input: ViewQueries[Name]['input']): Promise<ViewQueries[Name]['output']>;
  close(): Promise<void>;
}
