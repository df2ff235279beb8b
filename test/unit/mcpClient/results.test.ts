import { describe, expect, it } from '@jest/globals';
import { contentPart } from '../../../src/mcp/client/results/contentPart.js';
import { passProgress } from '../../../src/mcp/client/results/passProgress.js';
import { readResult } from '../../../src/mcp/client/results/readResult.js';
import { safeOutcome } from '../../../src/mcp/client/results/safeOutcome.js';
import type { JsonValue } from '../../../src/platform/json.js';
import type { CallProgress } from '../../../src/tools/remoteTools.js';

const token = ['my', 'very', 'own', 'token'].join('-');

describe('a part of a result', () => {
  it.each<[string, JsonValue]>([
    ['text', { type: 'text', text: '', annotations: { audience: ['user'] } }],
    ['an image', { type: 'image', data: 'AAAA', mimeType: 'image/png' }],
    ['audio', { type: 'audio', data: 'AA==', mimeType: 'audio/wav' }],
    ['a link', { type: 'resource_link', uri: 'file:///x', name: 'x' }],
    ['a text resource', { type: 'resource', resource: { uri: 'file:///x', text: 'x' } }],
    ['a binary resource', { type: 'resource', resource: { uri: 'file:///x', blob: '' } }],
  ])('stays as it is: %s', (_, part) => {
    expect(contentPart(part)).toBe(part);
  });

  it.each<[string, JsonValue]>([
    ['a kind nobody knows', { type: 'hologram', data: 'x' }],
    ['text without text', { type: 'text' }],
    ['an image that is no base64', { type: 'image', data: 'not base64!', mimeType: 'image/png' }],
    ['audio cut in the middle', { type: 'audio', data: 'AAAAA', mimeType: 'audio/wav' }],
    ['a resource without an address', { type: 'resource', resource: { text: 'x' } }],
    ['a text of its own', 'text'],
    ['a list', [1]],
    ['nothing', null],
  ])('is kept and marked unsupported: %s', (_, part) => {
    expect(contentPart(part)).toEqual({ type: 'unsupported', value: part });
  });
});

describe('a result of a tool with an output schema', () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

  it('is taken when it fits', () => {
    expect(readResult({ content: [], structuredContent: { n: 1 } }, schema)).toEqual({ kind: 'answered', isError: false, content: [], structured: { n: 1 } });
  });

  it.each([
    ['another type', { structuredContent: { n: 'x' } }, '/n must be number'],
    ['nothing', {}, 'there is no structured content'],
    ['no object', { structuredContent: [1] }, 'It must be object'],
  ])('says that the tool ran and what is wrong, and keeps what it brought: %s', (_, more, problem) => {
    const content = [{ type: 'text', text: 'done' }];
    expect(readResult({ content, ...more }, schema)).toMatchObject({ kind: 'invalid', message: expect.stringContaining(problem), content: expect.arrayContaining(content) });
  });

  it('need not fit when the tool says that it failed', () => {
    expect(readResult({ content: [], isError: true }, schema)).toMatchObject({ kind: 'answered', isError: true });
  });
});

describe('what a caller gets of a call', () => {
  it('holds no secret of the server\u2019s, in no form and no place, and nothing hidden', () => {
    const outcome = safeOutcome(
      {
        kind: 'answered',
        isError: false,
        content: [{ type: 'text', text: `a\u202eb\r\n${token.split('').join('\u200b')}` }, { type: 'resource', resource: { uri: `https://x/?k=${encodeURIComponent(token)}`, text: '' } }],
        structured: { [token]: [Buffer.from(token).toString('base64'), 7, null] },
      },
      [token],
    );
    expect(outcome).toEqual({
      kind: 'answered',
      isError: false,
      content: [{ type: 'text', text: 'ab\r\n[redacted:server_secret]' }, { type: 'resource', resource: { uri: 'https://x/?k=[redacted:server_secret]', text: '' } }],
      structured: { '[redacted:server_secret]': ['[redacted:server_secret]', 7, null] },
    });
  });

  it('keeps a property that is called __proto__ as a property', () => {
    const structured = JSON.parse('{"__proto__":{"a":1}}') as { readonly [key: string]: JsonValue };
    const safe = safeOutcome({ kind: 'answered', isError: false, content: [], structured }, []);
    expect(JSON.stringify(safe)).toContain('"structured":{"__proto__":{"a":1}}');
  });
});

describe('progress', () => {
  it('is passed on at most every 200 ms, only forwards, and in safe words', () => {
    const got: CallProgress[] = [];
    let now = 0;
    const pass = passProgress((progress) => got.push(progress), () => [token], () => now);
    pass({ progress: 1, total: 10, message: `at ${token}\u001b[2J` });
    now = 199;
    pass({ progress: 2 });
    now = 200;
    pass({ progress: 3 });
    now = 400;
    pass({ progress: 3 });
    pass({ progress: 4 });
    expect(got).toEqual([
      { progress: 1, total: 10, message: 'at [redacted:server_secret][2J' },
      { progress: 3, total: null, message: null },
      { progress: 4, total: null, message: null },
    ]);
  });
});
