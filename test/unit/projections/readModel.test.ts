import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import { LedgerPage } from '../../../src/projections/folding/ledgerPage.js';
import { parkedRows } from '../../../src/projections/readModel/parkedEvents.js';
import type { Projection } from '../../../src/projections/projection.js';
import { ProjectionRunner } from '../../../src/projections/folding/projectionRunner.js';
import { ReadModel } from '../../../src/projections/readModel/readModel.js';
import { openReadModel } from '../../../src/projections/readModel/readModelFile.js';
import { folded, foldInto, modelInMemory } from '../../support/projections/foldedModel.js';
import { TestLedger } from '../../support/projections/testLedger.js';

/** Counts how often each switch was set; refuses the tools it is told to refuse. */
function switchCounter(onPoison: Projection['onPoison'], refused: Set<string> = new Set(['poison'])): Projection {
  return {
    name: 'switchCounter',
    version: 1,
    handles: ['ToolSwitchSet'],
    opensBoxes: false,
    onPoison,
    tables: 'CREATE TABLE counts (tool TEXT PRIMARY KEY, count INTEGER NOT NULL, ordinals TEXT NOT NULL);',
    indexes: '',
    rows: ['SELECT * FROM counts ORDER BY tool'],
    fold: (db) => ({
      apply(event) {
        if (event.type !== 'ToolSwitchSet') return;
        const { tool } = event.data;
        db.prepare(
          `INSERT INTO counts VALUES (?, 1, ?) ON CONFLICT DO UPDATE SET count = count + 1, ordinals = ordinals || ' ' || excluded.ordinals`,
        ).run(tool, String(event.ordinal));
        if (refused.has(tool)) throw new Error(`cannot fold\u001b[31m ${tool}`);
      },
      flush: () => undefined,
    }),
  };
}

const switchTo = (ledger: TestLedger, tool: string): void =>
  void ledger.add({ type: 'ToolSwitchSet', data: { tool, on: true } }, { stream: 'toolSettings-local' });

function skip(ledger: TestLedger, position: string, projection = 'switchCounter'): void {
  const eventId = ledger.events[Number(position) - 1]?.id ?? '';
  ledger.add({ type: 'ParkedEventSkipped', data: { projection, position, eventId } }, { stream: 'ledger-operations' });
}

const counts = (db: Database): unknown => db.prepare('SELECT tool, count FROM counts ORDER BY tool').raw().all();

describe('an event that cannot be folded', () => {
  it('is set aside with what is needed to find it, and later events go on', () => {
    const ledger = new TestLedger();
    for (const tool of ['a', 'poison', 'b', 'a']) switchTo(ledger, tool);
    const model = folded(switchCounter('park'), ledger);
    expect(counts(model.db)).toEqual([['a', 2], ['b', 1]]);
    expect(parkedRows(model.db)).toEqual([
      {
        ordinal: 2, position: '2', eventId: ledger.events[1]?.id, stream: 'toolSettings-local', revision: 1,
        type: 'ToolSwitchSet', error: 'cannot fold [31m poison', attempts: 1,
      },
    ]);
    expect(model.checkpoint).toMatchObject({ position: '4', ordinal: 4 });
    expect(model.halted).toBeNull();
  });

  it('halts a view that must not be wrong, which keeps all before it', () => {
    const ledger = new TestLedger();
    for (const tool of ['a', 'b', 'poison', 'c']) switchTo(ledger, tool);
    const model = folded(switchCounter('halt'), ledger);
    expect(counts(model.db)).toEqual([['a', 1], ['b', 1]]);
    expect(model.checkpoint?.position).toBe('2');
    expect(model.halted).toBe('ToolSwitchSet at position 3 cannot be folded: cannot fold [31m poison');
  });

  it('is set aside when its data is no JSON', () => {
    const ledger = new TestLedger();
    ledger.addRaw('ToolSwitchSet', '{"tool":', { stream: 'toolSettings-local' });
    switchTo(ledger, 'a');
    const model = folded(switchCounter('park'), ledger);
    expect(parkedRows(model.db)).toMatchObject([{ position: '1' }]);
    expect(counts(model.db)).toEqual([['a', 1]]);
  });

  it('is folded at its own place when it is tried again and the cause is gone', () => {
    const ledger = new TestLedger();
    const refused = new Set(['poison']);
    for (const tool of ['poison', 'a', 'poison']) switchTo(ledger, tool);
    const model = folded(switchCounter('park', refused), ledger);
    expect(model.retryParked(ledger)).toBe(2);
    expect(parkedRows(model.db).map(({ attempts }) => attempts)).toEqual([2, 2]);
    refused.clear();
    expect(model.retryParked(ledger)).toBe(0);
    expect(model.db.prepare("SELECT ordinals FROM counts WHERE tool = 'poison'").pluck().get()).toBe('1 3');
    expect(model.checkpoint).toMatchObject({ position: '3', ordinal: 3 });
  });

  it('is forgotten when an operator gives it up, by this view only, live and in a rebuild', () => {
    const ledger = new TestLedger();
    for (const tool of ['poison', 'poison', 'a']) switchTo(ledger, tool);
    const live = folded(switchCounter('park'), ledger);
    skip(ledger, '1');
    skip(ledger, '2', 'otherView');
    foldInto([live], ledger);
    const rebuilt = folded(switchCounter('park'), ledger);
    for (const { db } of [live, rebuilt]) expect(parkedRows(db).map(({ position }) => position)).toEqual(['2']);
  });
});

describe('an event from the future', () => {
  it.each([
    ['a newer version of a type it folds', 'ToolSwitchSet', 2],
    ['a type that this program does not know', 'ToolTaughtToSing', 1],
  ])('halts every view that meets it, even one that parks: %s', (_what, type, version) => {
    const ledger = new TestLedger();
    switchTo(ledger, 'a');
    ledger.addRaw(type, '{}', { stream: 'toolSettings-local', version });
    switchTo(ledger, 'b');
    const model = folded(switchCounter('park'), ledger);
    expect(model.halted).toContain(`${type} version ${version}`);
    expect(model.checkpoint?.position).toBe('1');
    expect(parkedRows(model.db)).toEqual([]);
  });

  it('is passed over when it is a newer version of a type the view does not fold', () => {
    const ledger = new TestLedger();
    ledger.addRaw('WorkspaceClosed', '{}', { stream: 'workspace-local', version: 9 });
    switchTo(ledger, 'a');
    const model = folded(switchCounter('park'), ledger);
    expect(model.halted).toBeNull();
    expect(counts(model.db)).toEqual([['a', 1]]);
  });
});

describe('a runner', () => {
  it('lets views that are further on wait for the others, and folds every event once into each', () => {
    const ledger = new TestLedger();
    for (const tool of ['a', 'b', 'c']) switchTo(ledger, tool);
    const ahead = folded(switchCounter('park'), ledger);
    const behind = modelInMemory({ ...switchCounter('park'), name: 'other' }, ledger);
    for (const tool of ['a', 'd']) switchTo(ledger, tool);
    foldInto([ahead, behind], ledger);
    expect(counts(ahead.db)).toEqual([['a', 2], ['b', 1], ['c', 1], ['d', 1]]);
    expect(counts(behind.db)).toEqual(counts(ahead.db));
  });

  it('goes on with the others when one halts', () => {
    const ledger = new TestLedger();
    for (const tool of ['a', 'poison', 'b']) switchTo(ledger, tool);
    const halting = modelInMemory(switchCounter('halt'), ledger);
    const parking = modelInMemory({ ...switchCounter('park'), name: 'other' }, ledger);
    foldInto([halting, parking], ledger, 2);
    expect([halting.checkpoint?.position, parking.checkpoint?.position]).toEqual(['1', '3']);
  });

  it('tells how far each view is, in events and in seconds', () => {
    const ledger = new TestLedger();
    for (const tool of ['a', 'poison', 'b']) switchTo(ledger, tool);
    const runner = new ProjectionRunner(ledger, catalogue, () => undefined);
    runner.add(modelInMemory(switchCounter('park'), ledger));
    const clock = { now: () => (ledger.events[1]?.recordedAt ?? 0) + 1500 };
    runner.step(1);
    expect(runner.status(clock)).toEqual([
      { name: 'switchCounter', version: 1, phase: 'catching_up', position: '1', lagEvents: 2, lagSeconds: 1.5, parked: 0, problem: null },
    ]);
    while (runner.step(1) > 0);
    expect(runner.status(clock)).toMatchObject([{ phase: 'live', position: '3', lagEvents: 0, lagSeconds: 0, parked: 1 }]);
  });

  it('calls a view live that has nothing left to fold, though this runner has not looked yet', () => {
    const ledger = new TestLedger();
    switchTo(ledger, 'a');
    const runner = new ProjectionRunner(ledger, catalogue, () => undefined);
    runner.add(folded(switchCounter('park'), ledger));
    expect(runner.status({ now: () => 0 })).toMatchObject([{ phase: 'live', position: '1', lagEvents: 0 }]);
  });

  it('leaves a view alone whose file cannot be written, and tries again when told', () => {
    const ledger = new TestLedger();
    switchTo(ledger, 'a');
    const troubles: string[] = [];
    const runner = new ProjectionRunner(ledger, catalogue, (_model, error) => troubles.push((error as Error).message));
    const model = modelInMemory(switchCounter('park'), ledger);
    runner.add(model);
    model.db.pragma('query_only = ON');
    while (runner.step(10) > 0);
    expect(troubles).toHaveLength(1);
    expect(runner.status({ now: () => 0 })).toMatchObject([{ phase: 'halted', position: null, parked: 0 }]);
    model.db.pragma('query_only = OFF');
    runner.revive();
    while (runner.step(10) > 0);
    expect(runner.status({ now: () => 0 })).toMatchObject([{ phase: 'live', position: '1', parked: 0 }]);
  });
});

describe('a process that ends between or within pages', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'readmodels-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('leaves a file that goes on exactly after what it holds', () => {
    const ledger = new TestLedger();
    for (const tool of ['a', 'b', 'a', 'c', 'a']) switchTo(ledger, tool);
    const projection = switchCounter('park');
    const open = (): ReadModel => {
      const db = openReadModel(directory, projection, () => undefined);
      return new ReadModel(projection, db, catalogue, { open: () => [] });
    };
    const first = open();
    first.fold(new LedgerPage(ledger.readAll(null, 2), catalogue));
    // The next page is broken off: nothing of it may stay.
    const broken = new Error('the power fails');
    expect(() =>
      first.db.transaction(() => {
        first.fold(new LedgerPage(ledger.readAll('2', 2), catalogue));
        throw broken;
      })(),
    ).toThrow(broken);
    first.db.close();
    const second = open();
    expect(second.checkpoint).toMatchObject({ position: '2', ordinal: 2 });
    foldInto([second], ledger, 2);
    expect(counts(second.db)).toEqual([['a', 3], ['b', 1], ['c', 1]]);
    second.db.close();
  });
});
