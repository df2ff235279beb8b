import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/**
 * Paths of data directories that do not exist yet, for the tests of one file; all are removed at its end.
 * @returns a function that names a new one each time
 */
export function dataDirectories(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'tl-data-'));
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });
  let count = 0;
  return () => {
    count += 1;
    return join(root, String(count));
  };
}
