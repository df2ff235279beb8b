import { terminalSafeJson } from '../../../platform/text/terminal.js';
import { iso } from '../../words.js';
import type { ExportFormat } from '../exportEntry.js';

/**
 * JSON Lines: every event with its whole envelope, one JSON object a line. Characters that steer a terminal or hide in
 * text are written as JSON escapes, which changes no value.
 */
export const jsonLines: ExportFormat = {
  head: '',
  encode: ({ event, known, personal }) =>
    jsonLine({
      position: event.position,
      id: event.id,
      stream: event.stream,
      revision: event.revision,
      type: event.type,
      /** The version it was written in; `data` is in the current one. */
      writtenVersion: event.version,
      recordedAt: iso(event.recordedAt),
      occurredAt: iso(event.occurredAt),
      workspace: event.workspace,
      actor: event.actor,
      door: event.door,
      onBehalfOf: event.onBehalfOf,
      turn: event.correlation,
      causation: event.causation,
      runner: event.runner,
      data: known.data,
      personal,
      leaf: Buffer.from(event.leaf).toString('hex'),
    }),
};

const plain = /^[\x20-\x7e]*$/;

/** One value as one line. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value);
  return `${plain.test(text) ? text : terminalSafeJson(text)}\n`;
}
