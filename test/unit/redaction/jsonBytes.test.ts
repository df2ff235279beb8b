import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../../src/platform/json.js';
import { jsonBytes } from '../../../src/tools/redaction/jsonBytes.js';

const everyAscii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const values: JsonValue[] = [
  null,
  true,
  -0,
  1e21,
  '',
  'plain text, as most is',
  'Würfel 骰子 🎲',
  'half a character \ud83c',
  [],
  {},
  [[], {}, [1, 'a']],
  { 'a "quoted" key': { ключ: ['\u0000', '\u2028'] }, empty: '' },
  ...everyAscii,
];

describe('jsonBytes', () => {
  it.each(values.map((value) => [JSON.stringify(value), value] as const))('is the size of %s as it is written', (text, value) => {
    expect(jsonBytes(value)).toBe(Buffer.byteLength(text));
  });
});
