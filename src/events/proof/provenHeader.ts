import { z } from 'zod';
import { doors } from '../envelope.js';

const text = z.string();
/** What a JavaScript date can show. */
const time = z.int().min(-8.64e15).max(8.64e15);
const header = z.tuple([
  z.literal('toolledger/event@1'),
  text,
  text,
  z.int().nonnegative(),
  text,
  z.int().positive(),
  time,
  time,
  text,
  z.enum(doors),
  text.nullable(),
  text.nullable(),
  text.nullable(),
  text,
  text,
]);

/** What a canonical header says; see `canonicalHeader`. */
export interface ProvenHeader {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  /** Milliseconds since the epoch, as `recordedAt`. */
  readonly occurredAt: number;
  readonly recordedAt: number;
  readonly actor: string;
  readonly door: string;
  readonly onBehalfOf: string | null;
  readonly correlation: string | null;
  readonly causation: string | null;
  readonly workspace: string;
  readonly runner: string;
}

/** Reads a canonical header; null when it is anything else, or written in another way. */
export function parseHeader(line: string): ProvenHeader | null {
  const { data } = header.safeParse(parsed(line));
  if (data === undefined || JSON.stringify(data) !== line) return null;
  const [, id, stream, revision, type, version, occurredAt, recordedAt, actor, door, onBehalfOf, correlation, causation, workspace, runner] = data;
  return { id, stream, revision, type, version, occurredAt, recordedAt, actor, door, onBehalfOf, correlation, causation, workspace, runner };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
