import { describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import { cleanTextOf } from '../../../src/mcp/client/listing/cleanText.js';
import { readInstructions } from '../../../src/mcp/client/listing/instructions.js';
import { readDefinition } from '../../../src/mcp/client/listing/definition.js';

const clean = cleanTextOf([]);
const entry = { name: 'tool', description: 'Does it.', inputSchema: { type: 'object', properties: { b: {}, a: {} } } };
const read = (more: object) => {
  const result = readDefinition({ ...entry, ...more }, 65_536, clean);
  if (typeof result === 'string') throw new Error(result);
  return result;
};

describe('a tool definition', () => {
  it('is hashed over its canonical form, so that the order of keys does not matter', () => {
    const canonical = '{"description":"Does it.","inputSchema":{"properties":{"a":{},"b":{}},"type":"object"},"name":"tool"}';
    expect(read({}).hash).toBe(hash('sha256', canonical));
    expect(read({ inputSchema: { properties: { a: {}, b: {} }, type: 'object' } }).hash).toBe(read({}).hash);
  });

  it.each([
    ['description', { description: 'Does it!' }],
    ['title', { title: 'Tool' }],
    ['output schema', { outputSchema: { type: 'object' } }],
    ['annotations', { annotations: { readOnlyHint: true } }],
    ['icon', { icons: [{ src: 'https://example.org/i.png' }] }],
  ])('has another hash with another %s', (_, more) => {
    expect(read(more).hash).not.toBe(read({}).hash);
  });

  it('loses what models read and people do not see, at any depth', () => {
    const hidden = 'a\u202eb\u200bc\u{e0041}d\u0007e\ud800f';
    const { definition } = read({ description: hidden, inputSchema: { type: 'object', properties: { x: { enum: [hidden] } } } });
    expect(definition.description).toBe('abcde\ufffdf');
    expect(definition.inputSchema['properties']).toEqual({ x: { enum: ['abcde\ufffdf'] } });
  });

  it('keeps emoji with joiners, line breaks and every script', () => {
    const text = '👩‍👩‍👧 \n\tमराठी 한국어 می‌خواهم';
    expect(read({ description: text }).definition.description).toBe(text);
  });

  it('loses secrets', () => {
    const key = ['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('');
    expect(JSON.stringify(read({ description: `Use ${key}.`, inputSchema: { type: 'object', default: { key } } }).definition)).not.toContain(key);
  });

  it('is refused when it holds a number that JSON cannot carry', () => {
    expect(readDefinition({ ...entry, inputSchema: { type: 'object', maximum: Number.POSITIVE_INFINITY } }, 65_536, clean)).toBe('definition_not_json');
  });

  it('keeps a property that is called __proto__ as a property', () => {
    const schema: unknown = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    expect(JSON.stringify(read({ inputSchema: schema }).definition.inputSchema)).toBe(JSON.stringify(schema));
  });

  it('may be as large as allowed and not a byte larger', () => {
    const size = '{"description":"","inputSchema":{"type":"object"},"name":"t"}'.length;
    const sized = (bytes: number) => readDefinition({ name: 't', description: 'x'.repeat(bytes - size), inputSchema: { type: 'object' } }, 1_000, clean);
    expect([typeof sized(1_000), sized(1_001)]).toEqual(['object', 'definition_too_large']);
  });

  it('pins the bytes of an icon that lies in its URL without keeping them', () => {
    const icon = (bytes: string) => read({ icons: [{ src: `data:image/png;base64,${bytes}`, mimeType: 'image/png' }, { mimeType: 'image/png' }, 'x'] });
    expect(icon('AAAA').definition.icons).toEqual([{ src: expect.stringMatching(/^data:image\/png;sha256,[0-9a-f]{64}$/), mimeType: 'image/png' }]);
    expect(icon('AAAB').hash).not.toBe(icon('AAAA').hash);
  });

  it('loses the secrets in use for its server, also where something hidden stands between their letters', () => {
    const token = ['my', 'very', 'own', 'token'].join('-');
    const found = readDefinition({ ...entry, description: `Say ${token} or ${token.split('').join('\u200b')}.` }, 65_536, cleanTextOf([token]));
    expect(found).toMatchObject({ definition: { description: 'Say [redacted:server_secret] or [redacted:server_secret].' } });
    expect(readDefinition({ ...entry, name: `tool_${token}` }, 65_536, cleanTextOf([token]))).toBe('bad_name');
  });
});

describe('what a server says of how to use it', () => {
  it('is cleaned, cut to 4 KiB and hashed as it is kept', () => {
    const instructions = readInstructions(`a\u202eb${'é'.repeat(4_096)}`, clean);
    expect(instructions?.text).toBe(`ab${'é'.repeat(2_047)}`);
    expect(instructions?.hash).toBe(hash('sha256', JSON.stringify(instructions?.text)));
  });

  it.each([undefined, null, 7, '', '\u200b'])('is nothing when it is %j', (given) => {
    expect(readInstructions(given, clean)).toBeNull();
  });
});
