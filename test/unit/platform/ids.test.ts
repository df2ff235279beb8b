import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/platform/ids.js';

describe('newId', () => {
  const ids = Array.from({ length: 2_000 }, newId);

  it('gives UUIDs of version 7 in lower case', () => {
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('gives each id once, and each sorts after the one before', () => {
    for (const [index, id] of ids.entries()) expect(id > (ids[index - 1] ?? '')).toBe(true);
  });

  it('gives them different random ends, beyond what was fetched at once', () => {
    expect(new Set(ids.map((id) => id.slice(-10))).size).toBe(ids.length);
  });
});
