import { describe, expect, it } from '@jest/globals';
import { catalogue, makeCatalogue } from '../../../src/events/catalogue/catalogue.js';
import { eventType, type Upcaster } from '../../../src/events/catalogue/eventType.js';

const same: Upcaster = (content) => content;

/** A type that began as `{ name }`, then split it, then got a colour. */
const catNamed = eventType({
  name: 'CatNamed',
  version: 3,
  data: ({ z }) => z.strictObject({ first: z.string(), last: z.string(), colour: z.string().nullable() }),
  personal: ({ z }) => z.strictObject({ owners: z.array(z.string()) }),
  upcasters: [
    ({ name }) => {
      const [first = '', last = ''] = typeof name === 'string' ? name.split(' ') : [];
      return { first, last };
    },
    (content) => ({ ...content, colour: null }),
  ],
  personalUpcasters: [({ owner }) => ({ owners: [owner ?? null] }), same],
});
const cats = makeCatalogue([catNamed]);
const stored = (version: number, data: object) => ({ type: 'CatNamed', version, data: JSON.stringify(data), position: '17' });

describe('reading an event of an older version', () => {
  it.each([
    [1, { name: 'Maru Tanaka' }, { first: 'Maru', last: 'Tanaka', colour: null }],
    [2, { first: 'Maru', last: 'Tanaka' }, { first: 'Maru', last: 'Tanaka', colour: null }],
    [3, { first: 'Maru', last: 'Tanaka', colour: 'grey' }, { first: 'Maru', last: 'Tanaka', colour: 'grey' }],
  ])('lifts version %i step by step to the current one', (version, data, current) => {
    expect(cats.decode(stored(version, data))).toEqual({ type: 'CatNamed', data: current });
  });

  it.each([
    [1, { owner: 'Aya' }, { owners: ['Aya'] }],
    [2, { owners: ['Aya', 'Ben'] }, { owners: ['Aya', 'Ben'] }],
    [3, { owners: [] }, { owners: [] }],
  ])('lifts the content of its box from version %i by upcasters of their own', (version, content, current) => {
    expect(cats.decodePersonal({ type: 'CatNamed', version }, content)).toEqual(current);
  });
});

describe('a call of a built-in tool from before their definitions were recorded', () => {
  it.each(['ToolCallAdmitted', 'ToolCallRefused'])('names none: %s', (type) => {
    const data = JSON.stringify({ tool: 'roll_dice', route: { kind: 'builtin' } });
    expect(catalogue.decode({ type, version: 1, data, position: '1' }).data).toEqual({ tool: 'roll_dice', route: { kind: 'builtin', definition: null } });
  });
});

describe('an event this program does not know', () => {
  it('of a newer version stops the reader, naming type, version and position', () => {
    expect(() => cats.decode(stored(4, {}))).toThrow(
      expect.objectContaining({
        kind: 'damaged',
        code: 'unknown_event_version',
        message: expect.stringMatching(/position 17.*CatNamed version 4.*versions 1 to 3/),
        details: { type: 'CatNamed', version: 4, known: 3, position: '17' },
      }),
    );
  });

  it.each(['DogNamed', '__proto__', 'constructor'])('of an unknown type %s does as well', (type) => {
    expect(() => cats.decode({ ...stored(1, {}), type })).toThrow(
      expect.objectContaining({ code: 'unknown_event_version', details: { type, version: 1, known: null, position: '17' } }),
    );
  });

  it.each([0, -1, 1.5])('of a version %s that cannot be does as well', (version) => {
    expect(() => cats.decode(stored(version, {}))).toThrow(expect.objectContaining({ code: 'unknown_event_version' }));
  });

  it('does not get its box read either', () => {
    expect(() => cats.decodePersonal({ type: 'CatNamed', version: 4 }, {})).toThrow(
      expect.objectContaining({ code: 'unknown_event_version', details: { type: 'CatNamed', version: 4, known: 3, position: null } }),
    );
  });
});

describe('an event whose data is not a JSON object', () => {
  it.each(['', '{"name":', 'secret text', '7', 'null', '[]'])('is reported as damage without showing it: %j', (data) => {
    expect(() => cats.decode({ type: 'CatNamed', version: 3, data, position: '17' })).toThrow(
      expect.objectContaining({ kind: 'damaged', code: 'unreadable_event', message: expect.not.stringContaining('secret') }),
    );
  });
});

describe('a catalogue', () => {
  it('knows its types by name', () => {
    expect(cats.typeNamed('CatNamed')).toBe(catNamed);
    expect(cats.typeNamed('DogNamed')).toBeUndefined();
  });

  it('holds all types of the product', () => {
    expect(catalogue.typeNamed('ToolCallAdmitted')?.version).toBeGreaterThanOrEqual(1);
  });

  it('may leave out upcasters for boxes when the type never had any', () => {
    const plain = eventType({ name: 'CatSeen', version: 2, data: ({ z }) => z.strictObject({}), personal: null, upcasters: [same] });
    expect(makeCatalogue([plain]).decode({ type: 'CatSeen', version: 1, data: '{}', position: '1' })).toEqual({ type: 'CatSeen', data: {} });
  });

  it.each([
    ['declares a type twice', [catNamed, catNamed], 'twice'],
    ['misses an upcaster', [{ ...catNamed, upcasters: [same] }], 'needs 2'],
    ['has an upcaster too many', [{ ...catNamed, upcasters: [same, same, same] }], 'needs 2'],
    ['misses an upcaster for boxes', [{ ...catNamed, personalUpcasters: [] }], 'personal values; it needs 2'],
    ['has upcasters for some boxes only', [{ ...catNamed, personal: null, personalUpcasters: [same] }], 'personal values; it needs 2'],
    ['has a version 0', [{ ...catNamed, version: 0 }], 'whole numbers from 1'],
    ['has half a version', [{ ...catNamed, version: 1.5 }], 'whole numbers from 1'],
  ])('that %s is refused at start, naming the type', (_, types, problem) => {
    expect(() => makeCatalogue(types)).toThrow(
      expect.objectContaining({ code: 'incomplete_catalogue', message: expect.stringMatching(new RegExp(`CatNamed.*${problem}`)) }),
    );
  });
});
