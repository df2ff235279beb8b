import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { NewEvent } from '../../src/events/envelope.js';
import { ledgerFormat } from '../../src/events/sqlite/schema.js';
import { type AppendRequest, Writer } from '../../src/events/sqlite/writing/writer.js';
import { openDatabase } from '../../src/platform/sqlite/openDatabase.js';
import { testEvent } from './events.js';

/** A directory with the path of a ledger in it; `remove` ends both. */
export function ledgerDirectory(): { readonly directory: string; readonly file: string; readonly remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'tl-ledger-'));
  return { directory, file: join(directory, 'ledger.db'), remove: () => rmSync(directory, { recursive: true }) };
}

/** A writer's connection to a ledger. */
export function openLedger(file: string): Database.Database {
  return openDatabase(file, 'writer', ledgerFormat);
}

/** An append as the writer gets it. */
export function request(stream: string, expected: 'noStream' | number, events: readonly NewEvent[], now = 1_000): AppendRequest {
  return { stream, expected, events, now };
}

/** Writes `count` events, two in every stream: `s-0` holds numbers 1 and 2, `s-1` holds 3 and 4. */
export function fillLedger(file: string, count: number, given: Partial<NewEvent> = {}): void {
  const writer = new Writer(openLedger(file));
  const requests = Array.from({ length: count / 2 }, (_, index) =>
    request(`s-${index}`, 'noStream', [testEvent(index * 2 + 1, given), testEvent(index * 2 + 2, given)], 1_000 + index),
  );
  writer.commit(requests);
  writer.close();
}
