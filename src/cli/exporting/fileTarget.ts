import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ExportTarget } from '../../operations/export/makeExport.js';
import { nameDraft, replaceFile } from '../../platform/durableFile.js';
import { Fault } from '../../platform/fault.js';
import type { ExportFiles, ExportJournal } from './exportFiles.js';
import { WrittenSums } from './writtenSums.js';

/** After how many bytes the draft is put on the disk and the journal moved on. */
const journalEvery = 16 * 1024 * 1024;

/** An export that goes into a file. Until it is finished, the file has another name and a journal beside it. */
export interface FileTarget extends ExportTarget {
  close(): Promise<void>;
}

/** Begins a file, mode 0600. @throws Fault `cannot_write` */
export async function newFile(files: ExportFiles): Promise<FileTarget> {
  return fileTarget(files, await opened(files.draft, 'wx'), new WrittenSums(), -journalEvery);
}

/**
 * Goes on with a file where its journal says; what was written after that is cut off and will be written again.
 * @throws Fault `draft_changed` when the draft is not what the journal says, `cannot_write`
 */
export async function resumedFile(files: ExportFiles, { bytes, sha256 }: Pick<ExportJournal, 'bytes' | 'sha256'>): Promise<FileTarget> {
  const draft = await opened(files.draft, 'r+');
  const sums = new WrittenSums();
  for await (const chunk of draft.createReadStream({ start: 0, end: Math.max(0, bytes - 1), autoClose: false }) as AsyncIterable<Buffer>) {
    sums.add(chunk.subarray(0, bytes - sums.now().bytes));
  }
  if (sums.now().bytes !== bytes || sums.now().sha256 !== sha256) {
    await draft.close();
    throw new Fault('failed', 'draft_changed', `The first ${bytes} bytes of ${files.draft} are not what the export wrote. Remove it and ${files.journal}, and begin anew.`, { file: files.draft, bytes });
  }
  await draft.truncate(bytes);
  return fileTarget(files, draft, sums, bytes);
}

function fileTarget(files: ExportFiles, draft: FileHandle, sums: WrittenSums, journaledBytes: number): FileTarget {
  let journaled = journaledBytes;
  return {
    async write(text) {
      const chunk = Buffer.from(text);
      await trying(files.draft, () => draft.write(chunk, 0, chunk.length, sums.now().bytes));
      sums.add(chunk);
    },
    async mark(state) {
      const written = sums.now();
      if (written.bytes - journaled < journalEvery) return;
      journaled = written.bytes;
      await trying(files.draft, () => draft.datasync());
      await trying(files.journal, () => replaceFile(files.journal, JSON.stringify({ state, ...written })));
    },
    sums: () => sums.now(),
    async finish(manifest) {
      await trying(files.manifest, () => replaceFile(files.manifest, `${JSON.stringify(manifest, null, 2)}\n`));
      await trying(files.file, () => nameDraft(files.draft, files.file));
      tidyUp(files);
    },
    close: () => draft.close(),
  };
}

/** Removes what only an unfinished export needs. */
export function tidyUp({ draft, journal }: ExportFiles): void {
  rmSync(draft, { force: true });
  rmSync(journal, { force: true });
}

function opened(file: string, flags: 'wx' | 'r+'): Promise<FileHandle> {
  return trying(file, () => open(file, flags, 0o600));
}

async function trying<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const errno = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Fault('failed', 'cannot_write', `${file} cannot be written (${errno}). Check the directory, the rights of this user and the space on the disk.`, { file, errno }, { cause: error });
  }
}
