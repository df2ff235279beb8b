import { Fault } from '../platform/fault.js';
import type { ReadLine } from './lineReader.js';
import { clientLine, maxLineBytes, type ClientLine } from './protocol.js';

/** A client's line, or what is wrong with it and which request that answers. */
export type Understood = { readonly ok: true; readonly line: ClientLine } | { readonly ok: false; readonly id: string | null; readonly fault: Fault };

/** Reads a client's line; nothing in it can make this throw. */
export function readClientLine(read: ReadLine): Understood {
  if (read.kind === 'tooLong') return refused(null, new Fault('usage', 'line_too_long', `A line is longer than ${maxLineBytes} bytes. The connection is closed; send less at once.`, { limit: maxLineBytes }));
  if (read.kind === 'notUtf8') return refused(null, malformed('it is not UTF-8'));
  let value: unknown;
  try {
    value = JSON.parse(read.text);
  } catch {
    return refused(null, malformed('it is not JSON'));
  }
  const parsed = clientLine.safeParse(value);
  if (parsed.success) return { ok: true, line: parsed.data };
  return refused(idOf(value), malformed('it is neither {id, operation, input, caller} nor {id, cancel: true}'));
}

function refused(id: string | null, fault: Fault): Understood {
  return { ok: false, id, fault };
}

function malformed(problem: string): Fault {
  return new Fault('usage', 'malformed_request', `A line could not be read: ${problem}. Send one request as one line of JSON.`, { problem });
}

function idOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' && value.id.length <= 64 ? value.id : null;
}
