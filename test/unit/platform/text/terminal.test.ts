import { describe, expect, it } from '@jest/globals';
import { terminalSafe, terminalSafeJson } from '../../../../src/platform/text/terminal.js';

const hidden: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['escape sequences', '\u001b[2J\u001b]0;title\u0007', '\\u{1b}[2J\\u{1b}]0;title\\u{7}'],
  ['one-byte control sequences', '\u009b31m', '\\u{9b}31m'],
  ['NUL, backspace, tab, carriage return and DEL', '\0\b\t\r\u007f', '\\u{0}\\u{8}\\u{9}\\u{d}\\u{7f}'],
  ['bidirectional controls', 'a\u202eb\u2066c\u061c', 'a\\u{202e}b\\u{2066}c\\u{61c}'],
  ['zero-width characters', 'a\u200bb\u200dc\ufeffd\u2060', 'a\\u{200b}b\\u{200d}c\\u{feff}d\\u{2060}'],
  ['tag characters', 'a\u{e0041}\u{e007f}', 'a\\u{e0041}\\u{e007f}'],
  ['line and paragraph separators', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
  ['fillers drawn as nothing', '\u3164\u115f\u034f\u00ad', '\\u{3164}\\u{115f}\\u{34f}\\u{ad}'],
  ['variation selectors that vary nothing', '\ufe00a\ufe0f\ufe0e\u{e0100}', '\\u{fe00}a\ufe0f\\u{fe0e}\\u{e0100}'],
  ['lone surrogates', 'a\ud800b\udc00', 'a\\u{d800}b\\u{dc00}'],
];

describe('text that is safe for a terminal', () => {
  it.each(hidden)('shows %s as codes', (_what, text, shown) => {
    expect(terminalSafe(text)).toBe(shown);
  });

  it.each(['Grüße, 世界!', 'e\u0301', '🎲 ❤\ufe0f 👍🏽', '葛\u{e0100}', 'नमस्ते', 'مرحبا', '\\u{1b}'])('leaves %s as it is', (text) => {
    expect(terminalSafe(text)).toBe(text);
  });

  it('keeps line feeds only when asked to, and never carriage returns', () => {
    expect(terminalSafe('a\nb\r\n')).toBe('a\\u{a}b\\u{d}\\u{a}');
    expect(terminalSafe('a\nb\r\n', { keepNewlines: true })).toBe('a\nb\\u{d}\n');
  });

  it.each(hidden)('writes %s in JSON as escapes that mean the same', (_what, text) => {
    const json = terminalSafeJson(JSON.stringify({ [text]: text }));
    expect(JSON.parse(json)).toEqual({ [text]: text });
    expect(terminalSafe(json)).toBe(json);
  });

  it('keeps the line feeds between JSON values', () => {
    expect(terminalSafeJson(JSON.stringify({ a: 'x\ny' }, null, 2))).toBe('{\n  "a": "x\\ny"\n}');
  });
});
