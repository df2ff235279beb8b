import { describe, expect, it } from '@jest/globals';
import { run } from '../../../src/cli/run.js';
import type { Terminal } from '../../../src/cli/terminal.js';
import type { Toolledger } from '../../../src/cli/toolledger.js';
import { Fault } from '../../../src/platform/fault.js';

describe('a command line', () => {
  it('prints the answer of a call and exits with 0', async () => {
    const { exitCode, out } = await commandLine(['call', 'echo', '{"a":1}'], { callId: 'c1', status: 'succeeded', success: true, data: { a: 1 } });
    expect(JSON.parse(out)).toEqual({ callId: 'c1', status: 'succeeded', success: true, data: { a: 1 } });
    expect(exitCode).toBe(0);
  });

  it('exits with 1 when a call was refused', async () => {
    const { exitCode } = await commandLine(['call', 'echo'], { callId: 'c1', status: 'refused', success: false });
    expect(exitCode).toBe(1);
  });

  it.each([
    ['an unknown command', ['nonsense']],
    ['an unknown option', ['audit', 'search', '--colour', 'red']],
    ['a missing argument', ['audit', 'show']],
    ['a missing option', ['mcp', 'add', 'http://127.0.0.1/mcp']],
    ['JSON that is none', ['call', 'echo', '{bad']],
    ['a time that is none', ['audit', 'search', '--since', 'yesterday']],
    ['a number that is none', ['audit', 'search', '--limit', 'many']],
    ['a word that is not offered', ['audit', 'search', '--outcome', 'fine']],
    ['nothing to rebuild', ['projections', 'rebuild']],
  ])('exits with 2 and asks nothing of the product: %s', async (_what, args) => {
    const { exitCode, out, err, invoked } = await commandLine(args, {});
    expect({ exitCode, out, invoked }).toEqual({ exitCode: 2, out: '', invoked: [] });
    expect(err).toMatch(/^toolledger: \S/);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['failed', 1],
    ['usage', 2],
    ['damaged', 3],
  ] as const)('maps a failure of kind %s to exit code %i', async (kind, code) => {
    const { exitCode, err } = await commandLine(['audit', 'show', 'c1'], new Fault(kind, 'some_code', 'It did not work.'));
    expect({ exitCode, err }).toEqual({ exitCode: code, err: 'toolledger: It did not work.\n' });
  });

  it('prints a failure as one JSON document with --json', async () => {
    const { out, err } = await commandLine(['audit', 'show', 'c1', '--json'], new Fault('damaged', 'some_code', 'It did not work.', { position: '7' }));
    expect(JSON.parse(out)).toEqual({ error: { code: 'some_code', message: 'It did not work.', position: '7' } });
    expect(err).toBe('');
  });

  it('tells nothing of an error that it does not know', async () => {
    const { err, exitCode } = await commandLine(['audit', 'show', 'c1'], new Error('secret inside'));
    expect(err).not.toContain('secret inside');
    expect(exitCode).toBe(1);
  });

  it('never lets a terminal escape through, neither from an answer nor from a failure', async () => {
    const hostile = 'x\u001b]0;owned\u0007\u009b31m\u202e';
    const answer = await commandLine(['call', 'echo'], { callId: 'c1', status: 'succeeded', success: true, data: hostile });
    const failure = await commandLine(['audit', 'show', 'c1'], new Fault('failed', 'c', hostile));
    expect(JSON.parse(answer.out)).toMatchObject({ data: hostile });
    // eslint-disable-next-line no-control-regex
    expect(answer.out + failure.err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it.each([['--help'], ['--version']])('%s is no failure and needs no product', async (flag) => {
    const { exitCode, out, invoked } = await commandLine([flag], {});
    expect({ exitCode, invoked }).toEqual({ exitCode: 0, invoked: [] });
    expect(out).not.toBe('');
  });
});

/** Runs a command line on a product that answers everything with `answer`, or fails with it. */
async function commandLine(args: readonly string[], answer: object) {
  const written = { out: '', err: '' };
  const invoked: string[] = [];
  const terminal: Terminal = {
    out: (text) => (written.out += text),
    pour: async (text) => void (written.out += text),
    err: (text) => (written.err += text),
    columns: null,
    progressInPlace: false,
    readInput: async () => '',
    confirm: async () => false,
    askSecret: async () => '',
  };
  const product: Toolledger = {
    invoke: async ({ name }) => {
      invoked.push(name);
      if (answer instanceof Error) throw answer;
      return answer as never;
    },
    serve: async () => undefined,
    doctor: async () => [],
    acceptLoss: async () => null,
    acceptKeyLoss: async () => null,
    restoreKeys: async () => ({ people: 0, destroyed: 0 }),
    rotateKeys: async () => ({ masterKeyFile: null, swept: true }),
    restoreLedger: async () => ({ events: 0, epoch: 2, newest: null, lacking: 0, agreesWith: null, replaced: 'none', lost: null, erased: [], people: 0, unreadable: { people: 0, events: 0 }, hasKeys: true }),
  };
  const exitCode = await run(args, '1.2.3', () => product, terminal, new AbortController().signal);
  return { exitCode, ...written, invoked };
}
