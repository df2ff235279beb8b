import { describe, expect, it } from '@jest/globals';
import { fetch as packaged } from 'undici';
import { requireStandardFetch } from '../../../src/platform/net/standardFetch.js';

describe('the fetch in use', () => {
  it("is Node's own, whose answers are of the global class (case 40)", async () => {
    await expect(requireStandardFetch(fetch)).resolves.toBeUndefined();
  });

  it('is refused when it is one of a package, whose answers are of another class (case 40)', async () => {
    await expect(requireStandardFetch(packaged as unknown as typeof fetch)).rejects.toMatchObject({ code: 'fetch_replaced' });
  });
});
