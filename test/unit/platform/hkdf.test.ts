import { hkdfSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { hkdf } from '../../../src/platform/hkdf.js';

const infos = ['', 'toolledger/box@1 0190b5a4-0000-7000-8000-000000000001', 'Würfel 骰子', 'x'.repeat(500)];
const keys = [Buffer.alloc(32, 7), Buffer.alloc(32), Buffer.from(Array.from({ length: 100 }, (_, index) => index))];

describe('hkdf', () => {
  it.each(infos)("gives the bytes of node's own, for the info %j", (info) => {
    for (const key of keys) expect(hkdf(key, info)).toEqual(Buffer.from(hkdfSync('sha256', key, '', info, 32)));
  });

  it('gives the same when it is asked again, and something else for another key', () => {
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    expect(hkdf(first, 'purpose')).toEqual(hkdf(first, 'purpose'));
    expect(hkdf(first, 'purpose')).not.toEqual(hkdf(second, 'purpose'));
  });
});
