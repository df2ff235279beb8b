import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { modelName } from '../../../src/mcp/client/listing/alias.js';

describe('the name a model sees', () => {
  it.each(['a', 'get_weather-2', 'A'.repeat(64)])('is the own name %s where every provider takes it', (name) => {
    expect(modelName(name)).toBe(name);
  });

  it('stays readable where it has to be another', () => {
    expect(modelName('files.read all')).toMatch(/^files_read_all_[0-9a-f]{16}$/);
  });

  it('is always one that every provider takes, and never the same for two names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), (one, other) => {
        expect(modelName(one)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(modelName(one) === modelName(other)).toBe(one === other);
      }),
    );
  });
});
