import { describe, expect, it } from '@jest/globals';
import { Frontier, type SubtreeHash } from '../../../src/platform/tlog/frontier.js';
import { leafHash } from '../../../src/platform/tlog/merkleHash.js';
import { checkConsistency, checkInclusion, consistencyProof, inclusionProof, rootOf } from '../../../src/platform/tlog/merkleProof.js';
import { referenceConsistency, referencePath, referenceRoot } from '../../support/referenceTree.js';

/** The entries and heads that Certificate Transparency's implementations publish for testing each other. */
const published: readonly (readonly [entry: string, rootWithIt: string])[] = [
  ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  ['606162636465666768696a6b6c6d6e6f', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
];
const entries = Array.from({ length: 34 }, (_, at) => Buffer.from(`entry ${at}`));
const sizes = entries.map((_, at) => at + 1);

const hex = (hashes: readonly Buffer[]): string => Buffer.concat(hashes).toString('hex');
const known = new Map<string, Buffer>();
const subtree: SubtreeHash = (level, index) => remembered(index * 2 ** level, (index + 1) * 2 ** level);
const headOf = (size: number) => ({ size, root: remembered(0, size) });

function remembered(start: number, end: number): Buffer {
  const key = `${start}-${end}`;
  const root = known.get(key) ?? referenceRoot(entries.slice(start, end));
  known.set(key, root);
  return root;
}

describe('the RFC 6962 tree', () => {
  it('has the published heads', () => {
    const frontier = new Frontier();
    expect(frontier.root().toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    for (const [entry, root] of published) {
      frontier.add(leafHash(Buffer.from(entry, 'hex')).toString('hex'));
      expect(frontier.root().toString('hex')).toBe(root);
    }
  });

  it('has, at every size, the head that the RFC defines, also when it goes on from there', () => {
    const frontier = new Frontier();
    for (const size of sizes) {
      const next = leafHash(entries[size - 1] ?? Buffer.alloc(0)).toString('hex');
      const resumed = new Frontier(() => undefined, { size: size - 1, subtree });
      resumed.add(next);
      frontier.add(next);
      expect([frontier.size, frontier.root(), resumed.root(), rootOf(size, subtree)]).toEqual([size, headOf(size).root, headOf(size).root, headOf(size).root]);
    }
  });
});

describe('an inclusion proof', () => {
  it('is the path that the RFC defines, and leads to the head, for every leaf of every size', () => {
    for (const size of sizes) {
      for (let index = 0; index < size; index += 1) {
        const path = inclusionProof(index, size, subtree);
        expect(hex(path)).toBe(hex(referencePath(index, entries.slice(0, size))));
        expect(checkInclusion({ index, leaf: leafHash(entries[index] ?? Buffer.alloc(0)), path }, headOf(size))).toBe(true);
      }
    }
  });

  it('does not hold for another leaf, index, size, path or head', () => {
    const leaf = leafHash(entries[5] ?? Buffer.alloc(0));
    const path = inclusionProof(5, 13, subtree);
    const holds = (given: Partial<{ index: number; leaf: Buffer; path: readonly Buffer[] }>, head = headOf(13)) => checkInclusion({ index: 5, leaf, path, ...given }, head);
    expect(holds({})).toBe(true);
    for (let index = 0; index < 34; index += 1) expect([index, holds({ index })]).toEqual([index, index === 5]);
    expect(holds({ leaf: leafHash(Buffer.from('another')) })).toBe(false);
    expect(holds({ path: path.slice(1) })).toBe(false);
    expect(holds({ path: [...path, leaf] })).toBe(false);
    expect(holds({ path: [...path].reverse() })).toBe(false);
    expect(holds({}, headOf(12))).toBe(false);
  });
});

describe('a consistency proof', () => {
  it('is the one that the RFC defines, and holds, between all sizes', () => {
    for (const newer of sizes) {
      for (let older = 1; older <= newer; older += 1) {
        const proof = consistencyProof(older, newer, subtree);
        expect(hex(proof)).toBe(hex(referenceConsistency(older, entries.slice(0, newer))));
        expect(checkConsistency(headOf(older), headOf(newer), proof)).toBe(true);
      }
    }
  });

  it('does not hold between trees that differ, nor backwards, nor with hashes more or less', () => {
    const other = [...entries.slice(0, 3), Buffer.from('changed'), ...entries.slice(4)];
    for (const [older, newer] of [[4, 8], [6, 13], [12, 32], [32, 34]] as const) {
      const proof = consistencyProof(older, newer, subtree);
      const [before, after] = [headOf(older), headOf(newer)];
      expect(checkConsistency(before, { size: newer, root: referenceRoot(other.slice(0, newer)) }, referenceConsistency(older, other.slice(0, newer)))).toBe(false);
      expect(checkConsistency({ size: older, root: referenceRoot(other.slice(0, older)) }, after, proof)).toBe(false);
      expect(checkConsistency(after, before, proof)).toBe(false);
      expect(checkConsistency(before, after, proof.slice(1))).toBe(false);
      expect(checkConsistency(before, after, [...proof, before.root])).toBe(false);
      expect(checkConsistency(before, after, [])).toBe(false);
    }
    expect(checkConsistency(headOf(5), { size: 5, root: headOf(6).root }, [])).toBe(false);
  });

  it('of a tree without leaves is empty, and holds', () => {
    expect(consistencyProof(0, 7, subtree)).toEqual([]);
    expect(checkConsistency({ size: 0, root: referenceRoot([]) }, headOf(7), [])).toBe(true);
  });
});
