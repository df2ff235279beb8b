import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess } from '../../support/cli/inProcess.js';
import { stackTraceIn, steeringIn } from '../../support/cli/printedBytes.js';
import { toolledger, toolledgerJson, type Finished } from '../../support/cli/program.js';
import { startServe, type Served } from '../../support/cli/served.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly input?: string | Buffer;
  readonly env?: { readonly [name: string]: string };
  readonly code: string;
  /** What the message must name. */
  readonly names: string;
}

const call = ['call', 'roll_dice'];
const fromInput = [...call, '-'];

/** Wrong before anybody judges it: exit 2, and nothing is recorded. */
const wrong: readonly Case[] = [
  { what: 'JSON that ends too early', args: [...call, '{"notation":'], code: 'bad_json', names: 'too early' },
  { what: 'text that is not JSON', args: [...call, '{notation:d6}'], code: 'bad_json', names: 'position 1' },
  { what: 'no JSON at all on standard input', args: fromInput, input: '', code: 'bad_json', names: 'too early' },
  { what: 'a raw NUL byte', args: fromInput, input: '{"notation":"d6\0"}', code: 'bad_json', names: 'position' },
  { what: 'bytes that are not UTF-8', args: fromInput, input: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), code: 'bad_json', names: 'position 1' },
  { what: 'a value of 10 MB', args: fromInput, input: JSON.stringify({ notation: 'd'.repeat(10_000_000) }), code: 'input_too_large', names: 'Standard input' },
  { what: '10,000 levels of nesting', args: fromInput, input: `{"notation":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, code: 'arguments_too_deep', names: '200 levels' },
  { what: 'a million levels of nesting', args: fromInput, input: `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, code: 'arguments_too_deep', names: '200 levels' },
  { what: 'half of a surrogate pair in a value', args: [...call, String.raw`{"notation":"\ud83d"}`], code: 'arguments_not_unicode', names: '/notation' },
  { what: 'half of a surrogate pair in a key', args: [...call, String.raw`{"\udc00":1}`], code: 'arguments_not_unicode', names: 'at the top' },
  { what: 'a workspace of no known form', args: [...call, '{}', '--workspace', 'moon'], code: 'invalid_input', names: 'workspace' },
  { what: 'a call id of other characters', args: [...call, '{}', '--call-id', 'a b'], code: 'invalid_call_id', names: 'a b' },
  { what: 'an empty tool name', args: ['call', ''], code: 'invalid_input', names: 'tool' },
  { what: 'an unknown option', args: [...call, '{}', '--colour'], code: 'wrong_usage', names: '--colour' },
  { what: 'an unknown command', args: ['frobnicate'], code: 'wrong_usage', names: 'frobnicate' },
  { what: 'too many arguments', args: [...call, '{}', 'more'], code: 'wrong_usage', names: 'argument' },
  { what: 'a time in no known form', args: ['audit', 'search', '--since', 'yesterdayish'], code: 'invalid_time', names: 'yesterdayish' },
  { what: 'a limit that is no number', args: ['audit', 'search', '--limit', 'many'], code: 'wrong_usage', names: '--limit' },
  { what: 'a cursor nobody gave', args: ['audit', 'search', '--cursor', 'e30'], code: 'invalid_cursor', names: 'ursor' },
  { what: 'a token of more than 4 KiB', args: ['mcp', 'add', 'http://127.0.0.1:1/mcp', '--name', 'x', '--token-stdin'], input: 'x'.repeat(5_000), code: 'input_too_large', names: '4096' },
  { what: 'a port that is no number', args: call, env: { TOOLLEDGER_PORT: 'http' }, code: 'invalid_setting', names: 'TOOLLEDGER_PORT' },
  { what: 'a bad log level', args: ['audit', 'search'], env: { LOG_LEVEL: 'loud' }, code: 'invalid_setting', names: 'debug, info, warn, error, silent' },
];

/** Wrong as dispatch judges it: exit 1, and the refusal is recorded. */
const refused: readonly Case[] = [
  { what: 'a parameter of another type', args: [...call, '{"notation":6}'], code: 'invalid_arguments', names: 'notation' },
  { what: 'arguments that are a list', args: [...call, '["d6"]'], code: 'invalid_arguments', names: 'array' },
  { what: 'arguments that are null', args: [...call, 'null'], code: 'invalid_arguments', names: 'null' },
  { what: 'a missing parameter', args: [...call, '{}'], code: 'invalid_arguments', names: 'notation' },
  { what: 'a __proto__ key', args: [...call, '{"__proto__":{"notation":"d6"}}'], code: 'invalid_arguments', names: 'notation' },
  { what: 'an escaped NUL', args: [...call, String.raw`{"notation":"d6\u0000"}`], code: 'invalid_arguments', names: 'notation' },
  { what: 'a value of 3 MB', args: fromInput, input: JSON.stringify({ notation: 'd'.repeat(3_000_000) }), code: 'invalid_arguments', names: 'notation' },
  { what: 'a tool name of 100,000 characters', args: ['call', 'x'.repeat(100_000)], code: 'unknown_tool', names: 'roll_dice' },
  { what: 'a tool named like something every object has', args: ['call', 'constructor'], code: 'unknown_tool', names: 'constructor' },
  { what: 'a workspace that was never opened', args: [...call, '{}', '--workspace', 'g999'], code: 'workspace_unknown', names: 'workspace' },
];

describe('bad input on the command line', () => {
  const data = newDirectory();
  let served: Served;
  let wrongAnswers: readonly (readonly [Case, Finished])[];
  let refusedAnswers: readonly (readonly [Case, Finished])[];
  const counts: number[] = [];

  beforeAll(async () => {
    served = await startServe(data);
    await count();
    wrongAnswers = await answersTo(wrong);
    await count();
    refusedAnswers = await answersTo(refused);
    await count();
  });
  afterAll(() => served.stop());

  async function count(): Promise<void> {
    const { stdout } = await inThisProcess(data, ['ledger', 'verify', '--json']);
    counts.push((JSON.parse(stdout) as { readonly events: number }).events);
  }

  async function answersTo(cases: readonly Case[]): Promise<readonly (readonly [Case, Finished])[]> {
    const answers: (readonly [Case, Finished])[] = [];
    for (let at = 0; at < cases.length; at += 4) {
      answers.push(...(await Promise.all(cases.slice(at, at + 4).map(async (one) => [one, await ask(one)] as const))));
    }
    return answers;
  }

  /** In a process of its own what is about one: what stands on standard input, its settings, and the first of the rest. */
  async function ask(one: Case): Promise<Finished> {
    const args = [...one.args, '--json'];
    const ofItsOwn = one.input !== undefined || one.env !== undefined || one === wrong[0] || one === refused[0];
    return ofItsOwn ? toolledger(data, args, one) : inThisProcess(data, args);
  }

  it.each(wrong.map(({ what }, index) => ({ what, index })))('is wrong usage: $what', ({ index }) => {
    const [expected, { code, stdout, stderr }] = at(wrongAnswers, index);
    const { error } = JSON.parse(stdout) as { readonly error: { readonly code: string; readonly message: string } };
    expect([code, error.code]).toEqual([2, expected.code]);
    expect(error.message).toContain(expected.names);
    expect(stderr).toBe('');
  });

  it.each(refused.map(({ what }, index) => ({ what, index })))('is refused: $what', ({ index }) => {
    const [expected, { code, stdout, stderr }] = at(refusedAnswers, index);
    const answer = JSON.parse(stdout) as { readonly status: string; readonly error: { readonly code: string; readonly message: string } };
    expect([code, answer.status, answer.error.code]).toEqual([1, 'refused', expected.code]);
    expect(answer.error.message).toContain(expected.names);
    expect(stderr).toBe('');
  });

  it('is short about it, and shows neither a stack trace nor anything that steers a terminal', () => {
    for (const [, { stdout, stderr }] of [...wrongAnswers, ...refusedAnswers]) {
      expect(stdout.length).toBeLessThan(2_000);
      expect([stackTraceIn(stdout), stackTraceIn(stderr), steeringIn(stdout)]).toEqual([null, null, null]);
    }
  });

  it('records one refusal each for what was judged, and nothing for the rest', () => {
    const [before = 0, afterWrong = 0, afterRefused = 0] = counts;
    expect([afterWrong - before, afterRefused - afterWrong]).toEqual([0, refused.length]);
  });

  it('takes no notice of what a tool did not ask for, __proto__ included, and keeps nothing of it', async () => {
    const { code, document } = await toolledgerJson(data, [...call, '{"notation":"d6","__proto__":{"success":false},"more":"zebra"}']);
    expect([code, document]).toEqual([0, expect.objectContaining({ success: true })]);
    const { stdout } = await inThisProcess(data, ['audit', 'show', document.callId, '--json']);
    expect(stdout).toContain('"parameters":{"notation":"d6"}');
    expect(stdout).not.toMatch(/zebra|__proto__/);
  });

  it('leaves the process that serves as it was', async () => {
    expect((await fetch(`${served.origin}/health`)).status).toBe(200);
  });

  it('never shows a secret setting that is bad', async () => {
    const secret = ['not', 'base64', 'of', '32', 'bytes'].join('-');
    const { code, stdout, stderr } = await toolledger(data, ['audit', 'search'], { env: { TOOLLEDGER_MASTER_KEY: secret } });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('TOOLLEDGER_MASTER_KEY');
    expect(stderr).not.toContain(secret);
  });
});

function at(answers: readonly (readonly [Case, Finished])[], index: number): readonly [Case, Finished] {
  const answer = answers[index];
  if (answer === undefined) throw new Error(`case ${index} was not asked`);
  return answer;
}
