import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Fault } from '../../../src/platform/fault.js';
import { makeLog, type LogLevel } from '../../../src/platform/log.js';

function captured(level: LogLevel = 'info') {
  const lines: string[] = [];
  const log = makeLog({ level, destination: { write: (line) => lines.push(line) }, clock: { now: () => Date.UTC(2026, 2, 1) } });
  return { log, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const token = 'ghp_' + 'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36);

describe('the log', () => {
  it('writes one JSON line each', () => {
    const { log, lines } = captured();
    log.info({ port: 7_411, views: ['toolCallLog'] }, 'listening');
    log.warn({}, 'slow\ndown');
    expect(lines).toEqual([
      '{"level":"info","time":"2026-03-01T00:00:00.000Z","port":7411,"views":["toolCallLog"],"msg":"listening"}\n',
      '{"level":"warn","time":"2026-03-01T00:00:00.000Z","msg":"slow\\ndown"}\n',
    ]);
  });

  it.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['silent', []],
  ] as const)('at level %s writes %j', (level, written) => {
    const { log, entries } = captured(level);
    for (const each of ['debug', 'info', 'warn', 'error'] as const) log[each]({}, each);
    expect(entries().map(({ msg }) => msg)).toEqual(written);
  });

  it.each([
    ['the message', {}, `token is ${token}`],
    ['a field', { note: `see ${token}` }, ''],
    ['a nested field', { deep: [{ deeper: { note: `see ${token}` } }] }, ''],
    ['a field name', { [token]: 1 }, ''],
    ['a URL', { url: new URL(`https://example.org/?access_token=${token}`) }, ''],
    ['an error', { error: new Error(`refused ${token}`) }, ''],
    ['the cause of an error', { error: new Error('refused', { cause: new Error(token) }) }, ''],
    ['the details of a fault', { error: new Fault('failed', 'refused', 'Refused.', { given: token }) }, ''],
    ['text that is JSON', { body: JSON.stringify({ authorization: `Bearer ${token}` }) }, ''],
  ])('keeps a secret in %s out', (_where, fields, message) => {
    const { log, lines } = captured('debug');
    log.error(fields, message);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(token);
    expect(lines[0]).toContain('[redacted:');
  });

  it('keeps values out whose name says that they are secret', () => {
    const { log, lines } = captured();
    log.info({ server: { password: 'correct horse', apiKey: 12_345_678 } }, 'connecting');
    expect(lines[0]).not.toMatch(/correct horse|12345678/);
  });

  it('writes errors without their stack, except at level debug', () => {
    const fault = new Fault('failed', 'port_in_use', 'Port 7411 is in use.', { port: 7_411 }, { cause: new RangeError('inner') });
    const { log, entries } = captured();
    log.error({ error: fault }, 'cannot listen');
    expect(entries()[0]?.['error']).toEqual({
      name: 'Fault',
      code: 'port_in_use',
      message: 'Port 7411 is in use.',
      details: { port: 7_411 },
      cause: { name: 'RangeError', message: 'inner' },
    });
    const debug = captured('debug');
    debug.log.error({ error: fault }, 'cannot listen');
    expect(debug.entries()[0]?.['error']).toMatchObject({ stack: expect.stringContaining('log.test') });
  });

  it('takes errors of the runtime for errors', () => {
    const { log, entries } = captured();
    try {
      readFileSync('/no/such/file');
    } catch (error) {
      log.error({ error }, 'cannot read');
    }
    expect(entries()[0]?.['error']).toMatchObject({ code: 'ENOENT', message: expect.stringContaining('/no/such/file') });
  });

  it('writes nothing that a terminal would obey, and loses nothing by it', () => {
    const { log, lines, entries } = captured();
    const hostile = '\u001b[2J\u009b31m\u202e\u200b\u{e0041}\u007f';
    log.info({ hostile }, 'x');
    expect(lines[0]).toMatch(/^[\x20-\x7e]*\n$/);
    expect(entries()[0]?.['hostile']).toBe(hostile);
  });

  it('takes any value without throwing', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const { log, entries } = captured();
    const trap = new Proxy({}, { ownKeys: () => { throw new Error('no'); } });
    const getter = { get bad(): never { throw new Error('no'); } };
    log.info(
      { circle, trap, getter, big: 10n, nan: NaN, bytes: Buffer.from('secret bytes'), date: new Date(0), noDate: new Date(NaN), call: () => 1, none: undefined, nothing: null, ['__proto__']: 1 },
      'odd',
    );
    expect(entries()[0]).toMatchObject({ trap: '[unreadable]', getter: '[unreadable]', big: '10', nan: 'NaN', bytes: '[12 bytes]', date: '1970-01-01T00:00:00.000Z', noDate: '[invalid date]', call: '[function]', nothing: null });
  });

  it('survives fields that cannot be read at all', () => {
    const { log, entries } = captured();
    log.info(new Proxy({}, { ownKeys: () => { throw new Error('no'); } }), 'odd');
    expect(entries()[0]).toMatchObject({ msg: 'odd', fields: '[unreadable]' });
  });

  it('bounds what one line holds', () => {
    const { log, lines } = captured();
    log.info({ long: 'word '.repeat(2_000), many: Array.from({ length: 100_000 }, (_, at) => at) }, 'word '.repeat(2_000));
    const wide = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 'word')));
    log.info({ wide, deep: JSON.parse('[1,'.repeat(2_000) + '1' + ']'.repeat(2_000)) as unknown }, 'deep');
    for (const line of lines) expect(line.length).toBeLessThan(20_000);
  });
});
