import type { NewEvent } from './envelope.js';
import { type ExpectedRevision, maxAppendBytes } from './eventStore.js';
import { EventStoreError } from './storeError.js';

/** Most characters of a stream name and of every other name in an envelope. */
const maxNameLength = 512;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const control = /[\u0000-\u001f]/;

/**
 * What every engine refuses before it looks at the store.
 *
 * @returns bytes of data and boxes of all events together
 * @throws EventStoreError `invalid_append` or `append_too_large`
 */
export function checkAppend(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): number {
  const problem = problemOf(stream, expected, events);
  if (problem !== null) throw new EventStoreError({ code: 'invalid_append', stream: shown(stream), problem });
  let bytes = 0;
  for (const event of events) bytes += Buffer.byteLength(event.data) + Buffer.byteLength(event.boxes);
  if (bytes > maxAppendBytes) throw new EventStoreError({ code: 'append_too_large', stream, bytes, limit: maxAppendBytes });
  return bytes;
}

function problemOf(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): string | null {
  const name = nameProblem('the stream name', stream);
  if (name !== null) return name;
  if (expected !== 'noStream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    return `the expected revision is ${expected}; give noStream or a whole number from 0`;
  }
  if (events.length === 0) return 'it holds no events; give at least one';
  for (const event of events) {
    const found = eventProblem(event);
    if (found !== null) return found;
  }
  if (events.length > 1 && new Set(events.map((event) => event.id)).size < events.length) {
    return 'it holds the same event id twice; give every event its own';
  }
  return null;
}

function eventProblem(event: NewEvent): string | null {
  if (!uuid.test(event.id)) return `the event id ${shown(event.id)} is not a lower-case UUID of 36 characters`;
  if (!Number.isSafeInteger(event.version) || event.version < 1) return `the version of event ${event.id} is not a whole number from 1`;
  if (!Number.isSafeInteger(event.occurredAt)) return `occurredAt of event ${event.id} is not whole milliseconds`;
  return (
    nameProblem(`the type of event ${event.id}`, event.type) ??
    nameProblem(`the actor of event ${event.id}`, event.actor) ??
    nameProblem(`the door of event ${event.id}`, event.door) ??
    nameProblem(`the workspace of event ${event.id}`, event.workspace) ??
    nameProblem(`the runner of event ${event.id}`, event.runner) ??
    (event.onBehalfOf === null ? null : nameProblem(`onBehalfOf of event ${event.id}`, event.onBehalfOf)) ??
    (event.correlation === null ? null : nameProblem(`the correlation of event ${event.id}`, event.correlation)) ??
    (event.causation === null ? null : nameProblem(`the causation of event ${event.id}`, event.causation)) ??
    textProblem(`the data of event ${event.id}`, event.data) ??
    textProblem(`the boxes of event ${event.id}`, event.boxes)
  );
}

function nameProblem(what: string, name: string): string | null {
  if (name === '') return `${what} is empty`;
  if (name.length > maxNameLength) return `${what} has ${name.length} characters, at most ${maxNameLength} are allowed`;
  return textProblem(what, name);
}

function textProblem(what: string, text: string): string | null {
  return isUnstorable(text) ? `${what} holds a control character, a line break or half a character (a lone surrogate)` : null;
}

/** Holds what JSON text of one line and names never hold, or what UTF-8 cannot carry. */
function isUnstorable(text: string): boolean {
  return control.test(text) || !text.isWellFormed();
}

/** Short enough for a message, and without what could not be stored. */
function shown(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return Array.from(short, (character) => (isUnstorable(character) ? '\ufffd' : character)).join('');
}
