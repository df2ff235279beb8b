import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess } from '../../support/cli/inProcess.js';
import { hasTerminals, onTerminal, type Person } from '../../support/cli/onTerminal.js';
import { stackTraceIn } from '../../support/cli/printedBytes.js';
import { toolledgerJson } from '../../support/cli/program.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();
const question = '[y/N] ';

describe('erasing a person', () => {
  const data = newDirectory();
  const erase = ['privacy', 'erase', '--user', '42'];

  function erasures(): number | undefined {
    const ledger = new Database(join(data, 'ledger.db'), { readonly: true });
    const count = ledger.prepare<[], number>("SELECT count(*) FROM events WHERE type = 'SubjectErased'").pluck().get();
    ledger.close();
    return count;
  }

  beforeAll(async () => {
    await inThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}', '--user', '42']);
  });

  it('is not done without a terminal to ask on, nor without --yes', async () => {
    expect(await toolledgerJson(data, erase)).toMatchObject({ code: 2, document: { error: { code: 'no_terminal', message: expect.stringContaining('--yes') } } });
    expect(erasures()).toBe(0);
  });

  // Needs pseudo terminals, which util-linux makes.
  (hasTerminals ? it : it.skip).each<[string, (person: Person) => void]>([
    ['an answer that is no', (person) => person.type('n\r')],
    ['another word', (person) => person.type('yessir\r')],
    ['Ctrl-C, whatever was typed before', (person) => person.type('y\x03')],
    ['Ctrl-D', (person) => person.type('\x04')],
    ['a terminal that is closed', (person) => person.leave()],
    ['SIGTERM from elsewhere', (person) => person.signal('SIGTERM')],
  ])('is not done after %s, and says so', async (_what, answer) => {
    const { code, seen } = await onTerminal(data, erase, question, answer);
    expect([code, seen]).toEqual([1, expect.stringMatching(/\r\ntoolledger: Nothing was erased\.\r\n$/)]);
    expect(stackTraceIn(seen)).toBeNull();
    expect(erasures()).toBe(0);
  });

  (hasTerminals ? it : it.skip)('is done after yes', async () => {
    const { code, seen } = await onTerminal(data, erase, question, (person) => person.type('Yes\r'));
    expect([code, seen]).toEqual([0, expect.stringContaining('Erased.')]);
    expect(erasures()).toBe(1);
  });
});

describe('a secret that is asked for on a terminal', () => {
  (hasTerminals ? it : it.skip)('is not taken from somebody who gives none, and nothing is registered', async () => {
    const data = newDirectory();
    const { code, seen } = await onTerminal(data, ['mcp', 'add', 'http://127.0.0.1:9/mcp', '--name', 'x', '--token-prompt'], 'Token: ', (person) => person.type('abc\x03'));
    expect([code, seen]).toEqual([1, expect.stringContaining('toolledger: No secret was given; nothing was changed.')]);
    expect(seen).not.toContain('abc');
  });
});
