import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';

const data = dataDirectories()();

it.each([['serve'], ['call', 'roll_dice', '{"notation":"d6"}']])('a ledger of a newer program is named by %s, and left as it is', async (...args) => {
  await jsonInThisProcess(data, ['workspace', 'list']);
  const db = new Database(join(data, 'ledger.db'));
  db.pragma('user_version = 99');
  db.close();
  const { code, stdout, stderr } = await inThisProcess(data, [...args, '--json']);
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('newer');
  expect(stdout + stderr).not.toContain('does not know');
  const after = new Database(join(data, 'ledger.db'), { readonly: true });
  expect(after.pragma('user_version', { simple: true })).toBe(99);
  after.close();
});
