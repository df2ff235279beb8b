import type { ExportTarget } from '../../operations/export/makeExport.js';
import { jsonText } from '../format/jsonText.js';
import type { Terminal } from '../terminal.js';
import { WrittenSums } from './writtenSums.js';

/** An export to standard output. Its manifest goes to standard error as one line of JSON, so that the output stays what its form says. */
export function streamTarget(terminal: Pick<Terminal, 'pour' | 'err'>): ExportTarget {
  const sums = new WrittenSums();
  return {
    async write(text) {
      sums.add(Buffer.from(text));
      await terminal.pour(text);
    },
    mark: async () => undefined,
    sums: () => sums.now(),
    finish: async (manifest) => terminal.err(`${jsonText(manifest)}\n`),
  };
}
