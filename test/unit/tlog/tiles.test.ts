import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inclusionProof, rootOf } from '../../../src/platform/tlog/merkleProof.js';
import { tileHashes } from '../../../src/platform/tlog/tileHashes.js';
import { partialTiles, tilePath } from '../../../src/platform/tlog/tilePath.js';
import { openTileStore } from '../../../src/platform/tlog/tileStore.js';
import { TreeWriter } from '../../../src/platform/tlog/treeWriter.js';
import { referencePath, referenceRoot } from '../../support/referenceTree.js';

const entry = (at: number): Buffer => Buffer.from(`entry ${at}`);
const entries = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => entry(at));

describe('where tiles lie', () => {
  it.each([
    [0, 0, 256, 'tile/0/000'],
    [1, 1234067, 256, 'tile/1/x001/x234/067'],
    [2, 273, 112, 'tile/2/273.p/112'],
    [0, 1000, 1, 'tile/0/x001/000.p/1'],
    ['entries', 7, 256, 'tile/entries/007'],
  ] as const)('level %s, number %d, width %d: %s', (kind, index, width, path) => expect(tilePath(kind, index, width)).toBe(path));

  it('has the partial tiles of the worked example: 70,000 leaves', () => {
    expect(partialTiles(70_000)).toEqual([
      { kind: 0, index: 273, width: 112 },
      { kind: 'entries', index: 273, width: 112 },
      { kind: 1, index: 1, width: 17 },
      { kind: 2, index: 0, width: 1 },
    ]);
    expect(partialTiles(256)).toEqual([{ kind: 1, index: 0, width: 1 }]);
    expect(partialTiles(0)).toEqual([]);
  });
});

describe('a tree kept in tiles', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tl-tiles-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  async function grow(from: number, to: number): Promise<Buffer> {
    const writer = new TreeWriter(openTileStore(directory), from);
    for (let at = from; at < to; at += 1) writer.add(entry(at));
    return Buffer.from((await writer.finish()).root);
  }

  it('has the head that the RFC defines, however it was grown', async () => {
    let size = 0;
    for (const next of [1, 2, 255, 256, 257, 511, 512, 700, 1_024, 1_300]) {
      expect([next, await grow(size, next)]).toEqual([next, referenceRoot(entries(next))]);
      size = next;
    }
  });

  it('gives every head and path out of its tiles', async () => {
    await grow(0, 700);
    const store = openTileStore(directory);
    const subtree = tileHashes(700, (tile) => store.read(tile));
    for (const size of [1, 255, 256, 300, 700]) expect(rootOf(size, subtree)).toEqual(referenceRoot(entries(size)));
    for (const index of [0, 255, 256, 511, 699]) expect(inclusionProof(index, 700, subtree)).toEqual(referencePath(index, entries(700)));
  });

  it('writes the same when it is grown again after a crash', async () => {
    await grow(0, 300);
    const once = await grow(300, 600);
    expect(await grow(300, 600)).toEqual(once);
    expect(await grow(300, 700)).toEqual(referenceRoot(entries(700)));
  });

  it('is what the specification says, file by file', async () => {
    await grow(0, 300);
    await grow(300, 520);
    expect(readFileSync(join(directory, 'tile/0/000')).length).toBe(8_192);
    expect(readFileSync(join(directory, 'tile/0/002.p/8')).length).toBe(8 * 32);
    expect(readFileSync(join(directory, 'tile/1/000.p/2'))).toEqual(Buffer.concat([0, 1].map((at) => referenceRoot(entries(520).slice(at * 256, (at + 1) * 256)))));
    const bundle = readFileSync(join(directory, 'tile/entries/002.p/8'));
    expect([bundle.readUInt16BE(0), bundle.subarray(2, 11).toString()]).toEqual([9, 'entry 512']);
    // Partial ones go when the full one is there; nothing half-written stays.
    expect(existsSync(join(directory, 'tile/0/001.p'))).toBe(false);
    expect(readdirSync(directory, { recursive: true }).filter((name) => String(name).endsWith('.new'))).toEqual([]);
  });

  it('names a tile that is missing', async () => {
    await grow(0, 300);
    rmSync(join(directory, 'tile/0/000'));
    const store = openTileStore(directory);
    expect(() => inclusionProof(3, 300, tileHashes(300, (tile) => store.read(tile)))).toThrow(/tile\/0\/000 is missing/);
  });
});
