import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { exportState, type ExportState } from '../../operations/export/makeExport.js';
import { refuseExisting } from '../../platform/files/durableFile.js';
import { Fault } from '../../platform/fault.js';

/** Everything that lies where an export is written. */
export interface ExportFiles {
  readonly file: string;
  /** Says what the finished file holds. */
  readonly manifest: string;
  /** The file while it is not finished. */
  readonly draft: string;
  /** How far the draft has come. */
  readonly journal: string;
}

/** @param file where the finished export shall be */
export function exportFiles(file: string): ExportFiles {
  return { file, manifest: `${file}.manifest.json`, draft: `${file}.partial`, journal: `${file}.partial.json` };
}

/** What the journal says. */
const journal = z.strictObject({ state: exportState, bytes: z.int().nonnegative(), sha256: z.string() });
type ExportJournal = z.output<typeof journal>;

/** @throws Fault `file_exists`, `export_interrupted` */
export function refuseOverwriting({ file, manifest, draft, journal: journalFile }: ExportFiles): void {
  [file, manifest].forEach(refuseExisting);
  for (const left of [journalFile, draft]) {
    if (!existsSync(left)) continue;
    throw new Fault('usage', 'export_interrupted', `An interrupted export to ${file} left ${left}. Go on with it by --out ${file} --resume, or remove ${draft} and ${journalFile} to begin anew.`, { file: left });
  }
}

/**
 * How far an interrupted export has come.
 * @throws Fault `nothing_to_resume`, `damaged_journal`
 */
export function readJournal({ file, journal: journalFile }: ExportFiles): ExportJournal {
  if (!existsSync(journalFile)) {
    throw new Fault('usage', 'nothing_to_resume', `There is no interrupted export to ${file}: ${journalFile} is missing. Leave out --resume to begin one.`, { file });
  }
  const { data } = journal.safeParse(parsedFile(journalFile));
  if (data !== undefined) return data;
  throw new Fault('failed', 'damaged_journal', `${journalFile} does not say how far the export has come; it was changed. Remove it and the draft beside it, and begin anew.`, { file: journalFile });
}

/** Whether the export a journal belongs to is complete, and only the tidying up was interrupted. */
export function isFinished({ file, manifest }: ExportFiles, { exportId }: ExportState): boolean {
  if (!existsSync(file) || !existsSync(manifest)) return false;
  const found = z.object({ exportId: z.string() }).safeParse(parsedFile(manifest));
  return found.data?.exportId === exportId;
}

/** @returns null when it is not there or holds no JSON */
export function parsedFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
