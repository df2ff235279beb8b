import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/events/sqlite/openSqliteStore.js';
import { describeEmbeddedPromises, describeEventStore, type StoreUnderTest } from './eventStore.contract.js';

const make = async (): Promise<StoreUnderTest> => {
  const directory = await mkdtemp(join(tmpdir(), 'tl-store-'));
  return {
    open: (clock) => openSqliteStore({ file: join(directory, 'ledger.db'), clock }),
    cleanUp: () => rm(directory, { recursive: true }),
  };
};

describeEventStore('the SQLite engine', make);
describeEmbeddedPromises('the SQLite engine', true, make);
