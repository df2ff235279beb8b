import { z } from 'zod';
import type { McpServersEvent } from '../../../events/catalogue/mcpServers/mcpServers.js';
import { iso, isoTime } from '../../words.js';
import type { Happened } from './happened.js';
import { timeIn, windowsOf } from './lifeWindows.js';

/** What came of a policy, on record or as an estimate. */
export const trackFigures = z.object({
  /** Counted failures and recoveries: tries that nobody asked for, as far as the ledger knows them. */
  attempts: z.int(),
  failures: z.int(),
  quarantinedMs: z.int(),
  /** How often the server was needed and its failures kept it from being used. */
  turnedAway: z.int(),
  autoDisabledAt: z.array(isoTime),
  windows: z.array(z.object({ state: z.string(), from: isoTime, to: isoTime.nullable() })),
});

/** @param until end of the comparison, milliseconds since the epoch */
export function figuresOf({ life, turnedAway }: { readonly life: readonly Happened[]; readonly turnedAway: number }, until: number): z.input<typeof trackFigures> {
  const windows = windowsOf(life, until);
  const times = (type: McpServersEvent['type']) => life.filter(({ known }) => known.type === type).map(({ at }) => at.recordedAt);
  const failures = life.filter(({ known }) => known.type === 'McpConnectionFailed' && known.data.counted).length;
  return {
    attempts: failures + times('McpConnectionRecovered').length,
    failures,
    quarantinedMs: timeIn(windows, 'quarantined', until),
    turnedAway,
    autoDisabledAt: times('McpServerAutoDisabled').map(iso),
    windows: windows.map(({ state, from, to }) => ({ state, from: iso(from), to: to === null ? null : iso(to) })),
  };
}
