import { describe, expect, it } from '@jest/globals';
import { maxPreviewBytes, previewOfContent, previewOfData } from '../../../src/tools/redaction/previewOf.js';

const githubKey = ['gh', 'p_', 'abcdefghijklmnopqrst0123456789'].join('');
const base64 = Buffer.alloc(3000, 'abc').toString('base64');

describe('previewOfData', () => {
  it('shows text as it is and everything else as JSON', () => {
    expect(previewOfData('sunny')).toEqual({ preview: 'sunny', result: { bytes: 7, kinds: ['text'], previewCut: false, redaction: [] } });
    expect(previewOfData({ total: 9, dice: [4, 5] })).toEqual({
      preview: '{"total":9,"dice":[4,5]}',
      result: { bytes: 24, kinds: ['structured'], previewCut: false, redaction: [] },
    });
  });

  it('scrubs before it cuts', () => {
    const text = `${'x '.repeat(maxPreviewBytes / 2 - 5)}${githubKey} ${'y '.repeat(100)}`;
    const { preview, result } = previewOfData(text);
    expect(preview).not.toContain('ghp_');
    expect(result.redaction).toEqual([{ path: '', rule: 'github' }]);
  });

  it('cuts at 4 KiB of UTF-8 and splits no character', () => {
    const { preview, result } = previewOfData('🎲'.repeat(2000));
    expect(Buffer.byteLength(preview)).toBe(maxPreviewBytes);
    expect(preview).toMatch(/^(?:🎲)+$/u);
    expect(result.previewCut).toBe(true);
    expect(result.bytes).toBe(8002);
  });

  it('fits exactly 4 KiB without a cut', () => {
    expect(previewOfData('é '.repeat(1365) + 'x').result.previewCut).toBe(false);
  });

  it('looks at no more of a large result than a preview needs, and still tells its size', () => {
    const secrets = `${githubKey} `.repeat(40_000);
    const { preview, result } = previewOfData({ rows: ['first', secrets, 'never seen'] });
    expect(preview).toMatch(/^\{"rows":\["first","\[redacted:/);
    expect(preview).not.toContain('ghp_');
    expect(result).toMatchObject({ bytes: Buffer.byteLength(JSON.stringify({ rows: ['first', secrets, 'never seen'] })), previewCut: true });
    expect(result.redaction).toEqual([{ path: '/*/1', rule: expect.stringMatching(/github/) }]);
  });
});

describe('previewOfContent', () => {
  it('shows texts, and describes images, audio and binary resources without keeping them', () => {
    const { preview, result } = previewOfContent(
      [
        { type: 'text', text: 'first' },
        { type: 'image', data: base64, mimeType: 'image/png' },
        { type: 'audio', data: base64, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a.bin', blob: base64 } },
        { type: 'resource_link', uri: 'https://example.com/', name: 'a' },
        { type: 'hologram', data: base64 },
      ],
      null,
    );
    expect(preview.split('\n')).toEqual([
      'first',
      '{"type":"image","bytes":3000,"mimeType":"image/png"}',
      '{"type":"audio","bytes":3000,"mimeType":"audio/wav"}',
      '{"type":"resource","resource":{"uri":"file:///a.bin","bytes":3000}}',
      '{"type":"resource_link","uri":"https://example.com/","name":"a"}',
      '{"type":"hologram","bytes":3000}',
    ]);
    expect(result.kinds).toEqual(['text', 'image', 'audio', 'resource', 'resource_link', 'other']);
    expect(preview + JSON.stringify(result)).not.toContain(base64.slice(0, 40));
  });

  it('shows structured content only where no text repeats it', () => {
    expect(previewOfContent([{ type: 'text', text: '{"a":1}' }], { a: 1 }).preview).toBe('{"a":1}');
    expect(previewOfContent([], { a: 1 })).toMatchObject({ preview: '{"a":1}', result: { kinds: ['structured'] } });
  });

  it('scrubs texts, URLs and structured content, and says where', () => {
    const { preview, result } = previewOfContent(
      [{ type: 'text', text: `key ${githubKey}` }, { type: 'resource_link', uri: 'https://a:tomato@example.com/' }],
      { password: 'tomato', nested: { note: githubKey } },
    );
    expect(preview).not.toMatch(/tomato|ghp_/);
    expect(result.redaction).toEqual([
      { path: '/content/0/text', rule: 'github' },
      { path: '/content/1/uri', rule: 'url_userinfo' },
      { path: '/structuredContent/*', rule: 'named' },
      { path: '/structuredContent/*/*', rule: 'github' },
    ]);
  });

  it('writes no word of the server into the clear part', () => {
    const { result } = previewOfContent([{ type: githubKey, [githubKey]: githubKey }], null);
    expect(JSON.stringify(result)).not.toContain('ghp_');
  });
});
