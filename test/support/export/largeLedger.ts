import { openSqliteStore } from '../../../src/events/sqlite/openSqliteStore.js';
import type { NewEvent } from '../../../src/events/envelope.js';
import { testEvent } from '../events.js';

const perAppend = 500;

/** Adds many events of about one kilobyte to a ledger that nobody owns now. */
export async function fillLedger(file: string, events: number): Promise<void> {
  let time = Date.UTC(2026, 0, 1);
  const store = await openSqliteStore({ file, clock: { now: () => (time += 1) } });
  for (let done = 0; done < events; done += perAppend) {
    const some: NewEvent[] = Array.from({ length: perAppend }, (_, index) =>
      testEvent(done + index, { type: 'ToolSwitchSet', actor: 'system', data: JSON.stringify({ tool: `tool${done + index}`.padEnd(120, 'x'), on: true }) }),
    );
    await store.append(`toolSettings-g${done}`, 'noStream', some);
  }
  await store.close();
}
