import { rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ExportState, ExportTarget } from '../../operations/export/makeExport.js';
import { counted } from '../../platform/text/counted.js';
import { replaceInBackground } from '../../platform/files/backgroundFile.js';
import { nameDraft } from '../../platform/files/durableFile.js';
import { Fault } from '../../platform/fault.js';
import type { ExportFiles } from './exportFiles.js';
import { WrittenSums, type Sums } from './writtenSums.js';

/** After how many bytes the draft is put on the disk and the journal moved on. */
const journalEvery = 4 * 1024 * 1024;
const readAtOnce = 1024 * 1024;

/** An export that goes into a file. Until it is finished, the file has another name and a journal beside it. */
export interface FileTarget extends ExportTarget {
  /** Ends the writing; of an export that is not finished, the journal then says how far it came. Never throws. */
  close(): Promise<void>;
}

/** Begins a file, mode 0600. @throws Fault `cannot_write`, `disk_full` */
export async function newFile(files: ExportFiles): Promise<FileTarget> {
  return fileTarget(files, await opened(files.draft, 'wx'), new WrittenSums(), null);
}

/**
 * Goes on with a file where its journal says; what was written after that is cut off and will be written again.
 * @throws Fault `draft_changed` when the draft is not what the journal says, `cannot_write`, `disk_full`
 */
export async function resumedFile(files: ExportFiles, { bytes, sha256 }: Sums): Promise<FileTarget> {
  const draft = await opened(files.draft, 'r+');
  const sums = await trying(files.draft, () => sumsOfBeginning(draft, bytes));
  if (sums.bytes !== bytes || sums.now().sha256 !== sha256) {
    await draft.close();
    throw new Fault('failed', 'draft_changed', `The beginning of ${files.draft} (${counted(bytes, 'byte')}) is not what the export wrote. Remove it and ${files.journal}, and begin anew.`, { file: files.draft, bytes });
  }
  await trying(files.draft, () => draft.truncate(bytes));
  return fileTarget(files, draft, sums, bytes);
}

/** @returns what the first `bytes` bytes come to, or all there are */
async function sumsOfBeginning(draft: FileHandle, bytes: number): Promise<WrittenSums> {
  const sums = new WrittenSums();
  const chunk = Buffer.alloc(readAtOnce);
  while (sums.bytes < bytes) {
    const { bytesRead } = await draft.read(chunk, 0, Math.min(chunk.length, bytes - sums.bytes), sums.bytes);
    if (bytesRead === 0) break;
    sums.add(chunk.subarray(0, bytesRead));
  }
  return sums;
}

/** @param journaled how many bytes the journal knows of; null: there is no journal yet */
function fileTarget(files: ExportFiles, draft: FileHandle, sums: WrittenSums, journaled: number | null): FileTarget {
  let known = journaled;
  let marked: (Sums & { readonly state: ExportState }) | null = null;

  async function writeJournal(): Promise<void> {
    if (marked === null) return;
    await trying(files.draft, () => draft.datasync());
    await trying(files.journal, () => replaceInBackground(files.journal, JSON.stringify(marked)));
    known = marked.bytes;
  }

  return {
    async write(text) {
      const chunk = Buffer.from(text);
      await trying(files.draft, async () => {
        for (let at = 0; at < chunk.length; ) at += (await draft.write(chunk, at, chunk.length - at, sums.bytes + at)).bytesWritten;
      });
      sums.add(chunk);
    },
    async mark(state) {
      marked = { state, ...sums.now() };
      if (known === null || sums.bytes - known >= journalEvery) await writeJournal();
    },
    sums: () => sums.now(),
    async finish(manifest) {
      await trying(files.manifest, () => replaceInBackground(files.manifest, `${JSON.stringify(manifest, null, 2)}\n`));
      await trying(files.file, () => nameDraft(files.draft, files.file));
      marked = null;
      tidyUp(files);
    },
    async close() {
      // What the journal said before stays true when it cannot be moved on.
      await writeJournal().catch(() => undefined);
      await draft.close().catch(() => undefined);
      if (known === null) tidyUp(files);
    },
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
    if (error instanceof Fault) throw error;
    const errno = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    if (errno === 'ENOSPC' || errno === 'EDQUOT') {
      throw new Fault('failed', 'disk_full', `${file} cannot be written: there is no space left for it (${errno}). Free some space, then go on, or begin anew in another place.`, { file, errno }, { cause: error });
    }
    throw new Fault('failed', 'cannot_write', `${file} cannot be written (${errno}). Check the directory, the rights of this user and the space on the disk.`, { file, errno }, { cause: error });
  }
}
