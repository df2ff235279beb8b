import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { allEventTypes, catalogue } from '../../../src/events/catalogue/catalogue.js';
import type { EventType } from '../../../src/events/catalogue/eventType.js';
import { schemasOf } from '../../../src/events/catalogue/schemas.js';
import type { JsonObject } from '../../../src/platform/json.js';

// One file for each type and version ever written to a ledger. Old ones stay for ever: ledgers hold such events.
const folder = new URL('./samples/', import.meta.url);
const files = readdirSync(folder);

const types: readonly EventType[] = allEventTypes;
const versions = types.flatMap((type) => Array.from({ length: type.version }, (_, index) => ({ type, version: index + 1 })));

function sampleOf(type: EventType, version: number) {
  const text = readFileSync(new URL(`${type.name}@${version}.json`, folder), 'utf8');
  return JSON.parse(text) as { readonly data: JsonObject; readonly personal?: JsonObject };
}

describe('the golden samples', () => {
  it('are there for every type and version, and for nothing else', () => {
    expect(files.sort()).toEqual(versions.map(({ type, version }) => `${type.name}@${version}.json`).sort());
  });

  it.each(versions)('$type.name@$version is what the current schema takes, without change', ({ type, version }) => {
    const { data } = sampleOf(type, version);
    const lifted = catalogue.decode({ type: type.name, version, data: JSON.stringify(data), position: '1' });
    expect(lifted.type).toBe(type.name);
    expect(schemasOf(type).data.parse(lifted.data)).toEqual(lifted.data);
    if (version === type.version) expect(lifted.data).toEqual(data);
  });

  it.each(versions)('$type.name@$version has personal values if and only if the type has', ({ type, version }) => {
    const { personal } = sampleOf(type, version);
    expect(personal === undefined).toBe(type.personal === null);
    if (personal === undefined || type.personal === null) return;
    const lifted = catalogue.decodePersonal({ type: type.name, version }, personal);
    expect(schemasOf(type).personal?.parse(lifted)).toEqual(lifted);
  });

  it.each(versions)('$type.name@$version with a field nobody knows is refused', ({ type, version }) => {
    const { data } = sampleOf(type, version);
    expect(schemasOf(type).data.safeParse({ ...data, surprise: 1 }).success).toBe(false);
  });
});
