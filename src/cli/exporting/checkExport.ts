import { createReadStream, existsSync } from 'node:fs';
import { z } from 'zod';
import { counted } from '../../platform/text/counted.js';
import { Fault } from '../../platform/fault.js';
import { refuseIrregular } from '../../platform/files/regularFile.js';
import { exportFiles, parsedFile } from './exportFiles.js';
import { WrittenSums, type Sums } from './writtenSums.js';

const claimed = z.object({ manifest: z.literal('toolledger/export@1'), records: z.int(), bytes: z.int(), sha256: z.string() });

/** What an exported file was found to be. */
export interface CheckedExport extends Sums {
  readonly file: string;
  readonly records: number;
}

/**
 * Compares an exported file with its manifest.
 * @throws Fault `export_cut` when it was never finished or has lost bytes, `export_changed`, `not_a_manifest`, `no_such_export`
 */
export async function checkExport(file: string): Promise<CheckedExport> {
  const { manifest, draft } = exportFiles(file);
  refuseIrregular(file, 'The export');
  const found = existsSync(file);
  if (!existsSync(manifest)) {
    if (existsSync(draft)) throw cut(`The export to ${file} was interrupted; go on with it by --out ${file} --resume.`, file);
    if (found) throw cut(`${file} has no manifest (${manifest}): it is cut, or is no export.`, file);
    throw new Fault('usage', 'no_such_export', `There is no export ${file}.`, { file });
  }
  const { data } = claimed.safeParse(parsedFile(manifest));
  if (data === undefined) throw new Fault('failed', 'not_a_manifest', `${manifest} is not the manifest of an export; it was changed.`, { file: manifest });
  const { bytes, sha256, records } = data;
  const actual = found ? await sumsOf(file) : { bytes: 0, sha256: '' };
  if (actual.bytes < bytes) throw cut(`${file} has ${counted(actual.bytes, 'byte')}; its manifest says ${bytes}. It is cut.`, file);
  if (actual.sha256 !== sha256) throw new Fault('failed', 'export_changed', `${file} is not what was exported: its SHA-256 is ${actual.sha256}, its manifest says ${sha256}.`, { file });
  return { file, records, bytes, sha256 };
}

async function sumsOf(file: string): Promise<Sums> {
  const sums = new WrittenSums();
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) sums.add(chunk);
  return sums.now();
}

function cut(message: string, file: string): Fault {
  return new Fault('failed', 'export_cut', message, { file });
}
