import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { refuseIrregular } from '../../platform/files/regularFile.js';
import { createInterface } from 'node:readline';
import { appendInBackground, replaceInBackground } from '../../platform/files/backgroundFile.js';

/** How much of the end of the checkpoint log is looked at, in bytes; a checkpoint has less than a thousand. */
const tailBytes = 65_536;

/** Where seals lie outside the ledger: each epoch's log as other tools read it, and every checkpoint in a file. */
export interface SealFiles {
  /** Where the checkpoint log lies, and how seals name it; `id` is null for the one in the directory of the seals. */
  readonly log: { readonly file: string; readonly id: string | null };
  /** The directory of an epoch's log: `checkpoint`, and its tiles under `tile`. */
  logDirectory(epoch: number): string;
  /** The checkpoint an epoch's log gives out, with its cosignatures, or null. */
  published(epoch: number): Promise<string | null>;
  publish(epoch: number, checkpoint: string): Promise<void>;
  /** The epochs that have a log, in no order. */
  epochs(): Promise<readonly number[]>;
  /** The newest checkpoints in the checkpoint log, oldest first. */
  newestLogged(): Promise<readonly string[]>;
  /** Everything in the checkpoint log, oldest first; null for a line that is no checkpoint. */
  logged(): AsyncIterable<string | null>;
  /** Adds a checkpoint to the checkpoint log. */
  addToLog(checkpoint: string): Promise<void>;
}

/**
 * @param directory `seals/` of the data directory
 * @param ownLog append-only; each line is one checkpoint as a JSON string. May lie on another volume; null: in `directory`
 */
export function openSealFiles(directory: string, ownLog: string | null): SealFiles {
  const checkpointLog = ownLog ?? join(directory, 'checkpoints.jsonl');
  refuseIrregular(checkpointLog, 'The checkpoint log (CHECKPOINT_LOG)');
  const checkpointFile = (epoch: number): string => join(directory, String(epoch), 'checkpoint');
  return {
    log: { file: checkpointLog, id: ownLog === null ? null : createHash('sha256').update(resolve(ownLog)).digest('hex') },
    logDirectory: (epoch) => dirname(checkpointFile(epoch)),
    published: (epoch) => unlessMissing(readFile(checkpointFile(epoch), 'utf8')),
    async publish(epoch, checkpoint) {
      await mkdir(dirname(checkpointFile(epoch)), { recursive: true, mode: 0o700 });
      await replaceInBackground(checkpointFile(epoch), checkpoint);
    },
    async epochs() {
      const names = (await unlessMissing(readdir(directory))) ?? [];
      return names.filter((name) => /^[1-9][0-9]{0,8}$/.test(name)).map(Number);
    },
    async newestLogged() {
      const { text, isAll } = await tailOf(checkpointLog);
      // The first line may be cut.
      return checkpointsIn(isAll ? text : text.slice(text.indexOf('\n') + 1));
    },
    async *logged() {
      let broken: string | null = null;
      for await (const line of linesOf(checkpointLog)) {
        // Half a line, which a crash leaves, is followed by the whole one.
        if (broken !== null && !line.startsWith(broken)) yield null;
        const [checkpoint] = checkpointsIn(line);
        broken = checkpoint === undefined ? line : null;
        if (checkpoint !== undefined) yield checkpoint;
      }
    },
    async addToLog(checkpoint) {
      await mkdir(dirname(checkpointLog), { recursive: true, mode: 0o700 });
      const { text } = await tailOf(checkpointLog);
      // A process that died while it wrote left half a line.
      const separator = text === '' || text.endsWith('\n') ? '' : '\n';
      await appendInBackground(checkpointLog, `${separator}${JSON.stringify(checkpoint)}\n`);
    },
  };
}

/** A line at the end that is not whole counts as well. */
async function* linesOf(file: string): AsyncGenerator<string> {
  if ((await unlessMissing(stat(file))) === null) return;
  yield* createInterface({ input: createReadStream(file), crlfDelay: Infinity });
}

/** The checkpoints in lines of a checkpoint log; half a line, which a crash leaves, holds none. */
function checkpointsIn(lines: string): readonly string[] {
  return lines.split('\n').flatMap((line) => {
    try {
      const checkpoint: unknown = JSON.parse(line);
      return typeof checkpoint === 'string' ? [checkpoint] : [];
    } catch {
      return [];
    }
  });
}

async function tailOf(file: string): Promise<{ readonly text: string; readonly isAll: boolean }> {
  const handle = await unlessMissing(open(file, 'r'));
  if (handle === null) return { text: '', isAll: true };
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - tailBytes);
    const bytes = Buffer.alloc(size - start);
    await handle.read(bytes, 0, bytes.length, start);
    return { text: bytes.toString(), isAll: start === 0 };
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
