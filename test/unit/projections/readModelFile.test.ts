import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import { allProjections } from '../../../src/projections/allProjections.js';
import { callText } from '../../../src/projections/callText/projection.js';
import { boxOpener } from '../../../src/projections/folding/boxOpener.js';
import { checkLoss, discardViews } from '../../../src/projections/readModel/loss.js';
import { mcpServers } from '../../../src/projections/mcpServers/projection.js';
import { openReadOnlyViews } from '../../../src/projections/querying/readOnlyViews.js';
import { ReadModel } from '../../../src/projections/readModel/readModel.js';
import { openReadModel, openTemporary, readModelPath } from '../../../src/projections/readModel/readModelFile.js';
import { toolCallLog } from '../../../src/projections/toolCallLog/projection.js';
import { toolRegistry } from '../../../src/projections/toolRegistry/projection.js';
import { removeOlderVersions, tidyAtStart } from '../../../src/projections/readModel/viewFiles.js';
import type { Projection } from '../../../src/projections/projection.js';
import { admit } from '../../support/projections/callEvents.js';
import { foldInto } from '../../support/projections/foldedModel.js';
import { TestLedger } from '../../support/projections/testLedger.js';

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'readmodels-')), 'readmodels');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

function build(projection: Projection, ledger: TestLedger, notes: string[] = []): void {
  const db = openReadModel(directory, projection, ({ message }) => notes.push(message));
  foldInto([new ReadModel(projection, db, catalogue, boxOpener(ledger, catalogue))], ledger);
  db.close();
}

function calls(count: number): TestLedger {
  const ledger = new TestLedger();
  for (let index = 0; index < count; index += 1) admit(ledger, `c${index}`);
  return ledger;
}

const checkpointOf = (projection: Projection): unknown => {
  const db = openReadModel(directory, projection, () => undefined);
  try {
    return db.prepare('SELECT position FROM checkpoint').pluck().get();
  } finally {
    db.close();
  }
};

describe('the file of a read model', () => {
  it('is for its owner only, and keeps what was folded', () => {
    build(toolCallLog, calls(3));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(readModelPath(directory, toolCallLog)).mode & 0o777).toBe(0o600);
    expect(checkpointOf(toolCallLog)).toBe('3');
  });

  it.each<[string, (file: string) => void]>([
    ['is no database', (file) => writeFileSync(file, 'x'.repeat(5000))],
    ['is cut short', (file) => truncateSync(file, 5000)],
    [
      'belongs to another view',
      (file) => {
        build(mcpServers, new TestLedger());
        renameSync(readModelPath(directory, mcpServers), file);
      },
    ],
  ])('is discarded with a note when it %s', (_what, spoil) => {
    build(toolCallLog, calls(3));
    spoil(readModelPath(directory, toolCallLog));
    const notes: string[] = [];
    build(toolCallLog, calls(5), notes);
    expect(notes).toEqual([expect.stringContaining('it will be built again')]);
    expect(checkpointOf(toolCallLog)).toBe('5');
  });
});

describe('old and unfinished files', () => {
  it('go when they are of no more use: rebuilds broken off at once, older versions when the new one is live', () => {
    for (const projection of [1, 2, 3].map((version) => ({ ...toolCallLog, version }))) build(projection, new TestLedger());
    openTemporary(directory, mcpServers).close();
    tidyAtStart(directory, [toolCallLog]);
    expect(names()).toEqual(['toolCallLog@1.db', 'toolCallLog@2.db', 'toolCallLog@3.db']);
    removeOlderVersions(directory, { ...toolCallLog, version: 2 });
    expect(names()).toEqual(['toolCallLog@2.db', 'toolCallLog@3.db']);
  });

  it('of the text index go at once, and all of it when it is switched off', () => {
    for (const projection of [{ ...callText, version: 1 }, { ...callText, version: 2 }, { ...toolCallLog, version: 1 }]) build(projection, new TestLedger());
    tidyAtStart(directory, [{ ...callText, version: 2 }]);
    expect(names()).toEqual(['callText@2.db', 'toolCallLog@1.db']);
    tidyAtStart(directory, []);
    expect(names()).toEqual(['toolCallLog@1.db']);
  });
});

describe('a ledger that has lost events', () => {
  const reader = (ledger: TestLedger): { leafAt: (position: string) => Promise<Uint8Array | null> } => ({
    leafAt: (position) => Promise.resolve(ledger.leafAt(position)),
  });

  it('is not reported when every view knows it', async () => {
    expect(await checkLoss(reader(calls(3)), directory)).toBeNull();
    build(toolCallLog, calls(3));
    build(mcpServers, new TestLedger());
    expect(await checkLoss(reader(calls(5)), directory)).toBeNull();
  });

  it('is noticed when it is shorter than a view, by the view that is furthest', async () => {
    build(toolRegistry, calls(4));
    build(toolCallLog, calls(5));
    const leaf = Buffer.from(calls(5).leafAt('5') ?? []).toString('hex');
    expect(await checkLoss(reader(calls(3)), directory)).toEqual({ view: 'toolCallLog', position: '5', leaf });
  });

  it('is noticed when another event lies where a view stands', async () => {
    build(toolCallLog, calls(3));
    const other = new TestLedger();
    for (let index = 0; index < 9; index += 1) admit(other, `other${index}`);
    expect(await checkLoss(reader(other), directory)).toMatchObject({ view: 'toolCallLog', position: '3' });
  });

  it('says nothing of a file that cannot be read', async () => {
    build(toolCallLog, calls(3));
    writeFileSync(readModelPath(directory, toolCallLog), 'no database');
    expect(await checkLoss(reader(calls(1)), directory)).toBeNull();
  });

  it('is gone on with after the views are discarded', async () => {
    build(toolCallLog, calls(5));
    discardViews(directory);
    expect(names()).toEqual([]);
    expect(await checkLoss(reader(calls(3)), directory)).toBeNull();
  });
});

describe('views read without an owner', () => {
  it('answer from what is there and say how far behind it is', () => {
    const ledger = calls(3);
    for (const projection of allProjections({ callText: true })) build(projection, ledger);
    admit(ledger, 'later');
    const views = openReadOnlyViews({ directory, callText: true, source: ledger });
    const page = views.query('searchCalls', { limit: 10, order: 'newest', text: 'dice' });
    expect(page.calls.map(({ callId }) => callId)).toEqual(['c2', 'c1', 'c0']);
    expect(views.query('workspaces', {})).toEqual([]);
    expect(views.behind()).toContainEqual({ view: 'toolCallLog', position: '3', events: 1 });
    views.close();
  });

  it('say which file is missing', () => {
    const views = openReadOnlyViews({ directory, callText: true, source: calls(1) });
    expect(() => views.query('workspaces', {})).toThrow(expect.objectContaining({ code: 'cannot_open', message: expect.stringContaining('toolRegistry@2.db') }));
  });
});

const names = (): readonly string[] => readdirSync(directory).sort();
