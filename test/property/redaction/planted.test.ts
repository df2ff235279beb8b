import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { scrubText } from '../../../src/platform/scrub/scrubText.js';
import { redactBuiltIn } from '../../../src/tools/redaction/redactBuiltIn.js';
import { previewOfContent, previewOfData } from '../../../src/tools/redaction/previewOf.js';
import { redactError } from '../../../src/tools/redaction/redactError.js';
import { redactRemote } from '../../../src/tools/redaction/redactRemote.js';
import { ordinaryTexts } from '../../support/ordinaryText.js';
import { plantedSecrets, secretNames, shapedSecrets, type PlantedSecret } from '../../support/plantedSecrets.js';

/** Ways to hide a value in another, one inside the other. */
type Wrapping = 'list' | 'object' | 'json' | 'siblings' | 'sentence';

const wrapping = fc.constantFrom<Wrapping>('list', 'object', 'json', 'siblings', 'sentence');
const ordinary = fc.constantFrom(...ordinaryTexts);
const key = fc.constantFrom('a', 'query', 'items', 'note', '__proto__', 'constructor', '名前', 'tokens');

function wrap(value: JsonValue, how: Wrapping, name: string, beside: string): JsonValue {
  if (how === 'list') return [beside, value];
  if (how === 'object') return JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as JsonValue;
  if (how === 'json') return JSON.stringify(value);
  if (how === 'siblings') return { before: beside, [`${name}2`]: value, after: [1, null, beside] };
  return typeof value === 'string' && !/^["[{]/.test(value) ? `see here:\n${value}\nthanks` : value;
}

const wrapped = (planted: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
  fc.tuple(planted, fc.array(fc.tuple(wrapping, key, ordinary), { maxLength: 5 })).map(([start, ways]) => ways.reduce<JsonValue>((value, way) => wrap(value, ...way), start));

const secret = fc.constantFrom(...plantedSecrets);
const shaped = fc.constantFrom(...shapedSecrets);

/** Line breaks of a secret may be written out, and long keys broken into lines: each line must be gone. */
function remains({ secret: planted }: PlantedSecret, output: string): string[] {
  return planted.split(/\s|\\n/).filter((line) => output.includes(line));
}

function outputs(value: JsonValue): string {
  const args: JsonObject = { value };
  return [
    redactRemote(args, { properties: { value: {} } }),
    redactBuiltIn({ value: 'value' }, args, { valid: true, subjectKey: null }),
    redactBuiltIn({ value: 'personal' }, args, { valid: false, subjectKey: Buffer.alloc(32) }),
    previewOfData(value),
    previewOfContent([{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }], { value }),
    redactError(typeof value === 'string' ? value : JSON.stringify(value)),
  ].map((output) => JSON.stringify(output)).join('\n');
}

describe('planted secrets', () => {
  it('never survive, at any nesting, inside strings that are JSON and beside ordinary text', () => {
    fc.assert(
      fc.property(
        secret.chain((planted) => fc.tuple(fc.constant(planted), wrapped(fc.constant(planted.text)))),
        ([planted, value]) => remains(planted, outputs(value)).length === 0,
      ),
      { numRuns: 400, seed: 1 },
    );
  });

  it('never survive as keys', () => {
    fc.assert(
      fc.property(
        shaped.chain((planted) => fc.tuple(fc.constant(planted), wrapped(fc.constant({ [planted.text]: 1 })))),
        ([planted, value]) => remains(planted, outputs(value)).length === 0,
      ),
      { numRuns: 200, seed: 2 },
    );
  });

  it('never survive in URLs, plain or percent-encoded', () => {
    fc.assert(
      fc.property(shaped, fc.constantFrom('q', 'id', 'file', 'x'), fc.boolean(), (planted, name, again) => {
        const url = `https://example.com/path?a=1&${name}=${encodeURIComponent(planted.text)}&z=2`;
        const value = again ? `https://example.com/go?to=${encodeURIComponent(url)}` : url;
        const lines = planted.secret.split(/\s|\\n/).flatMap((line) => [line, encodeURIComponent(line), encodeURIComponent(encodeURIComponent(line))]);
        return lines.every((line) => !outputs(value).includes(line));
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it('never survive under a secret name, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...secretNames).chain((name) => wrapped(fc.constantFrom<JsonValue>({ [name]: 'tomato soup' }, { [name]: ['tomato soup'] }, { [name]: { a: { b: 'tomato soup' } } }))),
        (value) => !outputs(value).includes('tomato soup'),
      ),
      { numRuns: 200, seed: 4 },
    );
  });
});

describe('scrubbing twice', () => {
  it('is scrubbing once', () => {
    const piece = fc.oneof(secret.map(({ text }) => text), ordinary, fc.constantFrom('password: ', 'token=', '"', "'", '\\"', '%22', '[redacted:pem]', '[redacted:x]', '&', ';', '\n', ' '), fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom('', ' ', '\n'), (pieces, between) => {
        const once = scrubText(pieces.join(between)).text;
        expect(scrubText(once)).toEqual({ text: once, rules: [] });
      }),
      { numRuns: 1500, seed: 5 },
    );
  });
});

describe('ordinary text', () => {
  it('survives at any nesting', () => {
    fc.assert(
      fc.property(wrapped(ordinary), (value) => {
        const { personal, notes } = redactRemote({ value }, {});
        expect(notes).toEqual([]);
        expect(personal).toEqual({ value });
      }),
      { numRuns: 400, seed: 6 },
    );
  });
});
