import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { firstInProcesses, inThisProcess } from '../support/cli/inProcess.js';
import { toolledger, toolledgerJson } from '../support/cli/program.js';
import { startServe, type Served } from '../support/cli/served.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();

describe('the command line', () => {
  it('teaches: the help of every command says what it does, and changes nothing', async () => {
    const data = newDirectory();
    const commands = ['', 'serve', 'doctor', 'call', 'tools', 'workspace', 'mcp', 'audit', 'projections', 'ledger', 'keys', 'privacy'];
    const helps = await Promise.all(commands.map((command) => toolledger(data, [...command.split(' ').filter(Boolean), '--help'])));
    for (const help of helps) expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Usage: toolledger') });
    for (const command of commands.slice(1)) expect(helps[0]?.stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    expect(helps[0]?.stdout).toContain('Exit codes: 0 ok · 1 failed or refused · 2 wrong usage or bad input · 3 the ledger is damaged or incomplete');
    // Nothing of this needed the directory, so nobody made it.
    expect(await toolledgerJson(data, ['doctor'])).toMatchObject({
      code: 0,
      document: { findings: expect.arrayContaining([{ check: 'data directory', state: 'ok', detail: 'not there yet; the first command makes it' }]) },
    });
  });

  it('names its version', async () => {
    expect(await toolledger(newDirectory(), ['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  it('takes the data directory from --data before the environment', async () => {
    const [data, other] = [newDirectory(), newDirectory()];
    const { document } = await toolledgerJson(other, ['call', 'roll_dice', '{"notation":"d6"}', '--data', data]);
    expect((await toolledger(data, ['audit', 'show', document.callId])).code).toBe(0);
    expect(existsSync(other)).toBe(false);
    expect((await inThisProcess(other, ['audit', 'show', document.callId])).code).not.toBe(0);
  });

  it('reads arguments from standard input when told -', async () => {
    const input = '{"notation":"2d6"}';
    expect(await toolledgerJson(newDirectory(), ['call', 'roll_dice', '-'], { input })).toMatchObject({ code: 0, document: { data: { notation: '2d6' } } });
  });

  it('gives the same failure as one line on stderr without --json', async () => {
    const { code, stdout, stderr } = await toolledger(newDirectory(), ['call', 'roll_dice', '{}', '--nonsense']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^toolledger: .*--nonsense.*\n$/);
  });

  describe('beside a server', () => {
    const data = newDirectory();
    let served: Served;

    beforeAll(async () => {
      served = await startServe(data);
    });
    afterAll(() => served.stop());

    it('reads an empty ledger as empty', async () => {
      expect(await toolledgerJson(data, ['audit', 'search'])).toMatchObject({ code: 0, document: { calls: [], cursor: null } });
      expect(await toolledgerJson(data, ['mcp', 'list'])).toMatchObject({ code: 0, document: { servers: [] } });
      expect((await toolledger(data, ['audit', 'search'])).stdout).toBe('No calls match.\n');
    });

    it('gives every failure with --json as one document and the exit code of its kind', async () => {
      const failing: readonly (readonly [exit: number, error: string, ...args: string[]])[] = [
        [1, 'call_not_found', 'audit', 'show', 'nobody'],
        [1, 'not_admitted', 'audit', 'settle', 'nobody', '--verdict', 'failed', '--because', 'x'],
        [1, 'not_found', 'mcp', 'remove', 'nobody'],
        [1, 'workspace_unknown', 'workspace', 'close', 'g7'],
        [2, 'wrong_usage', 'audit', 'show'],
        [2, 'wrong_usage', 'nonsense'],
        [2, 'wrong_usage', 'call', 'roll_dice', '{}', '--nonsense'],
        [2, 'bad_json', 'call', 'roll_dice', '{'],
        [2, 'invalid_option', 'audit', 'search', '--outcome', 'nonsense'],
        [2, 'nothing_named', 'projections', 'rebuild'],
      ];
      const run = firstInProcesses(data);
      await run('call', 'roll_dice', '{"notation":"d6"}');
      const answers = [];
      for (const [, , ...args] of failing) answers.push(await run.json(...args));
      expect(answers.map(({ code, document }) => [code, document.error.code])).toEqual(failing.map(([exit, error]) => [exit, error]));
      for (const { document } of answers) expect(document.error.message).toMatch(/\S/);
    });
  });
});
