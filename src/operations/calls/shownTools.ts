import { z } from 'zod';
import { turnStream } from '../../commands/turn.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { comparePositions, type RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { iso, isoTime } from '../words.js';

const pageSize = 500;

/** What the model or client behind a call was shown last before it called. */
export const shownTools = z.object({
  position: z.string(),
  recordedAt: isoTime,
  /** `showDefinition` gives the texts. */
  tools: z.array(z.object({ name: z.string(), definition: z.string() })),
  leftOut: z.array(z.object({ name: z.string(), reasons: z.array(z.string()) })),
  /** Servers whose tools nobody knew then. */
  undiscovered: z.array(z.object({ server: z.string(), reason: z.string() })),
});

/**
 * The declaration on record for a call's turn.
 * @returns null when the call belongs to no turn, or its turn was shown nothing before
 */
export async function shownTo(ledger: Pick<EventReader, 'readStream'>, [call]: readonly RecordedEvent[]): Promise<z.input<typeof shownTools> | null> {
  if (call === undefined || call.correlation === null) return null;
  let shown: RecordedEvent | null = null;
  for (let from = 0; ; from += pageSize) {
    const page = await ledger.readStream(turnStream(call.correlation), from, pageSize);
    const before = page.filter(({ position }) => comparePositions(position, call.position) < 0);
    shown = before.at(-1) ?? shown;
    if (before.length < pageSize) break;
  }
  const known = shown === null ? null : catalogue.decode(shown);
  if (shown === null || known?.type !== 'ToolsDeclared') return null;
  const { tools, leftOut, undiscovered } = known.data;
  return {
    position: shown.position,
    recordedAt: iso(shown.recordedAt),
    tools: [...tools],
    leftOut: leftOut.map(({ name, reasons }) => ({ name, reasons: [...reasons] })),
    undiscovered: [...undiscovered],
  };
}
