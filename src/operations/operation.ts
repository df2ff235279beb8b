import type { z } from 'zod';
import type { Caller } from '../tools/call.js';
import type { JsonValue } from '../platform/json.js';
import type { HistoryServices } from './export/historyServices.js';
import type { LedgerServices, OwnerServices, ViewServices } from './services.js';

/** What an operation may use, by what it needs of the data directory. */
export interface ServicesByReach {
  /** It reads the ledger itself. */
  readonly ledger: LedgerServices;
  /** It reads views that have caught up with the head. */
  readonly views: ViewServices;
  /** It goes through the whole ledger, in the caller's process, so that its input may hold a function that takes the pages. */
  readonly history: HistoryServices;
  /** It changes or records something; only the owner of the data directory can run it. */
  readonly owner: OwnerServices;
}

export type Reach = keyof ServicesByReach;

/** What every operation gets beside its input. */
export interface Invocation {
  /** Fixed by the door; nothing in the input changes it. */
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Tells the door how a long operation goes. */
  readonly progress: (progress: JsonValue) => void;
}

/** Something that can be asked of the product. Every door calls these; the owner's socket carries them. */
export interface Operation<R extends Reach = Reach, Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** `camelCase`, equal to the file's name. */
  readonly name: string;
  readonly reach: R;
  readonly input: Input;
  readonly output: Output;
  /** What to do when the process that ran it ended before it said how that went: a sentence. */
  readonly ifLost?: string;
  /** It may write whole files anew: in a process of its own it does so in other threads, so that who waits can still end it. */
  readonly isLong?: boolean;
  run(services: ServicesByReach[R], input: z.output<Input>, invocation: Invocation): Promise<z.input<Output>>;
}

/** Declares an operation; only there to infer its types. */
export function operation<R extends Reach, Input extends z.ZodType, Output extends z.ZodType>(
  declaration: Operation<R, Input, Output>,
): Operation<R, Input, Output> {
  return declaration;
}

/** Runs an operation however the door reaches the data directory, and gives its output. */
export type Invoke = <R extends Reach, Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<R, Input, Output>,
  input: z.input<Input>,
  options?: {
    /** The person the caller acts for: an id as the chat service gives it. */
    readonly onBehalfOf?: string | null;
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: JsonValue) => void;
  },
) => Promise<z.output<Output>>;
