import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { copyOf, rewriteLedger, type Row } from '../../support/sealing/attacker.js';
import { closedLedger, memorySecrets, openSealedLedger, origin, type ClosedLedger } from '../../support/sealing/sealedLedger.js';

jest.setTimeout(60_000);

/** Events that are sealed; behind them lies the event of the seal, and five more that nobody vouches for yet. */
const sealedEvents = 300;
const unsealedEvents = 5;

const template = mkdtempSync(join(tmpdir(), 'tl-tampering-'));
const secrets = memorySecrets();
let ledger: ClosedLedger;
let older: ReturnType<typeof copyOf>;

beforeAll(async () => {
  const made = await openSealedLedger(join(template, 'made'), secrets);
  const sealer = made.sealer();
  await made.add(40);
  await sealer.seal(origin);
  older = copyOf(made.file);
  await made.add(sealedEvents - 41);
  await sealer.seal(origin);
  await made.add(unsealedEvents);
  await made.close();
});
beforeEach(() => {
  cpSync(join(template, 'made'), join(template, 'now'), { recursive: true });
  ledger = closedLedger(join(template, 'now'), { ...secrets });
});
afterEach(() => ledger.remove());
afterAll(() => rmSync(template, { recursive: true }));

function changed(at: number, change: (row: Row) => Partial<Row>): (rows: Row[]) => Row[] {
  return (rows) => rows.map((row, index) => (index === at ? { ...row, ...change(row) } : row));
}

/** What somebody may do to the event at an index, leaving everything as if it had always been so. */
const attacks: readonly (readonly [what: string, attack: (at: number) => (rows: Row[]) => Row[]])[] = [
  ['edits its data', (at) => changed(at, ({ data }) => ({ data: data.replace('"guild"', '"local"') }))],
  ['edits its type', (at) => changed(at, () => ({ type: 'WorkspaceClosed', data: '{}' }))],
  ['edits the time it happened', (at) => changed(at, ({ occurred_at }) => ({ occurred_at: occurred_at - 1 }))],
  ['edits the time it was recorded', (at) => changed(at, ({ recorded_at }) => ({ recorded_at: recorded_at - 1 }))],
  ['edits who did it', (at) => changed(at, () => ({ actor: 'somebody-else' }))],
  ['moves it to another stream', (at) => changed(at, () => ({ stream: 'workspace-g999999' }))],
  ['deletes it', (at) => (rows) => rows.filter((_, index) => index !== at)],
  ['inserts one in front of it', (at) => (rows) => rows.flatMap((row, index) => (index === at ? [{ ...row, event_id: Buffer.alloc(16, 9), stream: 'workspace-g888888' }, row] : [row]))],
  ['swaps it with the one before', (at) => (rows) => rows.map((row, index) => rows[index === at ? at - 1 : index === at - 1 ? at : index] ?? row)],
  ['moves it far to the front', (at) => (rows) => {
    const [moved] = rows.splice(at, 1);
    return moved === undefined ? rows : [...rows.slice(0, at - 30), moved, ...rows.slice(at - 30)];
  }],
];

const places = [
  ['in the middle', 200],
  ['at the end of what was signed', sealedEvents - 1],
] as const;

describe.each(places)('somebody with the file and our code, %s', (_, at) => {
  it.each(attacks)('who %s and repairs leaves, positions and revisions is found, and where', async (_what, attack) => {
    let first = 0;
    rewriteLedger(ledger.file, (rows) => {
      const before = rows.map(({ event_id, stream, data, type, actor, occurred_at, recorded_at }) => String([event_id.toString('hex'), stream, data, type, actor, occurred_at, recorded_at]));
      const after = attack(at)([...rows]);
      first = after.findIndex(({ event_id, stream, data, type, actor, occurred_at, recorded_at }, index) => String([event_id.toString('hex'), stream, data, type, actor, occurred_at, recorded_at]) !== before[index]) + 1;
      return after;
    });
    const { damage } = await ledger.verify();
    expect(damage).toMatchObject({ kind: 'sealed', position: String(first) });
  });

  it.each(attacks)('who %s, with the sealing key, and seals everything anew, is found by one checkpoint elsewhere', async (_what, attack) => {
    // Nothing in the data directory is as it was: no seal, no tile, no checkpoint.
    rewriteLedger(ledger.file, (rows) => attack(at)([...rows]).filter(({ stream }) => stream !== 'ledger-seal'));
    rmSync(ledger.seals, { recursive: true });
    const anew = await openSealedLedger(ledger.directory, ledger.secrets);
    await anew.sealer({ files: { ...anew.files, addToLog: async () => undefined } }).seal(origin);
    await anew.close();
    const { damage } = await ledger.verify();
    expect(damage?.kind).toMatch(/^(sealed|missing)$/);
    expect(await ledger.loss()).not.toBeNull();
  });
});

describe('a ledger whose end is gone', () => {
  it.each([
    ['everything behind a signed event', sealedEvents - 1],
    ['one signed event and all that follows', sealedEvents - 2],
    ['most of it', 20],
    ['the seal and what follows, while all it covers is there', sealedEvents],
  ])('is found when somebody cut off %s', async (_, kept) => {
    rewriteLedger(ledger.file, (rows) => rows.slice(0, kept));
    const { damage } = await ledger.verify();
    // Without a single seal left, the checkpoint elsewhere is one of a ledger nobody here knows.
    expect(damage).toMatchObject(kept === 20 ? { kind: 'checkpoint' } : { kind: 'missing', position: String(kept + 1) });
    expect(await ledger.loss()).toMatchObject({ kind: 'shorter', epoch: 1 });
  });

  it('is found when the event that recorded a seal was replaced by another one', async () => {
    rewriteLedger(ledger.file, (rows) => rows.flatMap((row, index) => (index === sealedEvents ? [] : [row])));
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'checkpoint' });
    expect(await ledger.loss()).toMatchObject({ kind: 'shorter' });
  });

  it('is found when an older copy was put in its place, also by the next start', async () => {
    older.putBack(ledger.file);
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'missing', position: '42' });
    expect(await ledger.loss()).toMatchObject({ kind: 'shorter', epoch: 1 });
  });

  it('is found when an older copy went on with other events', async () => {
    older.putBack(ledger.file);
    const other = await openSealedLedger(ledger.directory, ledger.secrets);
    await other.add(sealedEvents);
    await other.close();
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'sealed' });
    expect(await ledger.loss()).not.toBeNull();
  });
});

describe('a ledger that nobody touched', () => {
  it('is as it was signed', async () => {
    expect(await ledger.verify()).toMatchObject({ events: sealedEvents + unsealedEvents + 1, damage: null, sealed: sealedEvents });
    expect(await ledger.loss()).toBeNull();
  });
});
