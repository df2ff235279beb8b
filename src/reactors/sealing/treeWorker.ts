import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteReader, type SqliteReader } from '../../events/sqlite/reading/sqliteReader.js';
import { EventStoreError } from '../../events/storeError.js';
import { Fault } from '../../platform/fault.js';
import { growTree, type Growth } from './growTree.js';
import type { FromTree } from './treeMessages.js';

const file = workerData as string;
const port = parentPort;
let reader: SqliteReader | null = null;

async function answer(growth: Growth): Promise<FromTree> {
  try {
    const source = (reader ??= openSqliteReader(file));
    return { tree: await growTree((after, limit) => source.readAll(after, limit), growth) };
  } catch (error) {
    const { kind, code, message, details } = faultOf(error, growth.directory);
    return { fault: { kind, code, message, details } };
  }
}

function faultOf(error: unknown, directory: string): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof EventStoreError) return new Fault(error.failure.code === 'corrupt' ? 'damaged' : 'failed', error.failure.code, error.message);
  const cause = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
  return new Fault('failed', 'seal_not_written', `The seals in ${directory} could not be written (${cause}). Nothing was sealed; check that the disk has space and works, and that this user may write there.`, { directory, cause });
}

port?.on('message', (growth: Growth) => {
  void answer(growth).then((said) => port.postMessage(said));
});
