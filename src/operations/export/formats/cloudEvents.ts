import { terminalSafe } from '../../../platform/text/terminal.js';
import { iso } from '../../words.js';
import type { ExportFormat } from '../exportEntry.js';
import { jsonLine } from './jsonLines.js';

/** Before the name of an event's type; reversed DNS, as CloudEvents wants it. */
const typePrefix = 'local.toolledger.';

/**
 * CloudEvents 1.0 in structured JSON, one event a line. `source` and `id` together name the event; the ledger's own
 * words are extension attributes, whose names CloudEvents wants in lower-case letters and digits.
 */
export const cloudEvents: ExportFormat = {
  head: '',
  encode: ({ event, known, personal }) =>
    jsonLine({
      specversion: '1.0',
      id: event.id,
      source: `/toolledger/workspaces/${encodeURIComponent(event.workspace)}`,
      type: `${typePrefix}${attribute(event.type)}`,
      subject: attribute(event.stream),
      time: iso(event.occurredAt),
      datacontenttype: 'application/json',
      recordedtime: iso(event.recordedAt),
      position: event.position,
      revision: event.revision,
      writtenversion: event.version,
      actor: attribute(event.actor),
      door: event.door,
      ...(event.onBehalfOf !== null && { onbehalfof: attribute(event.onBehalfOf) }),
      ...(event.correlation !== null && { turn: attribute(event.correlation) }),
      ...(event.causation !== null && { causation: attribute(event.causation) }),
      runner: attribute(event.runner),
      leaf: Buffer.from(event.leaf).toString('hex'),
      data: { clear: known.data, personal },
    }),
};

/** An attribute's text holds no control characters (CloudEvents 1.0, type system); data may. */
function attribute(text: string): string {
  return terminalSafe(text);
}
