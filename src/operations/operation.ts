import type { z } from 'zod';
import type { Caller } from '../tools/call.js';
import type { JsonValue } from '../platform/json.js';

/**
 * What an operation needs of the data directory.
 * - `owner`: it changes or records something; only the owner can run it
 * - `views`: it reads views that have caught up with the head
 * - `ledger`: it reads the ledger itself
 */
export type Reach = 'owner' | 'views' | 'ledger';

/** What every operation gets beside its input. */
export interface Invocation {
  /** Fixed by the door; nothing in the input changes it. */
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Tells the door how a long operation goes. */
  readonly progress: (progress: JsonValue) => void;
}

/** Something that can be asked of the product. Every door calls these; the owner's socket carries them. */
export interface Operation<Services, Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** `camelCase`, equal to the file's name. */
  readonly name: string;
  readonly summary: string;
  readonly reach: Reach;
  readonly input: Input;
  readonly output: Output;
  run(services: Services, input: z.output<Input>, invocation: Invocation): Promise<z.input<Output>>;
}
