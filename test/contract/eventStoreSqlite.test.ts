import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/events/sqlite/openSqliteStore.js';
import { describeEmbeddedPromises, describeEventStore, type StoreUnderTest } from './eventStore.contract.js';

for (const place of ['apart', 'here'] as const) {
  const name = `the SQLite engine ${place}`;
  const make = async (): Promise<StoreUnderTest> => {
    const directory = await mkdtemp(join(tmpdir(), 'tl-store-'));
    return {
      open: (clock) => openSqliteStore({ file: join(directory, 'ledger.db'), clock, place }),
      cleanUp: () => rm(directory, { recursive: true }),
    };
  };
  describeEventStore(name, make);
  describeEmbeddedPromises(name, true, make);
}
