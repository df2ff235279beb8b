import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { verifyLedger } from '../../../src/events/sqlite/verifying/verifyLedger.js';
import { allProjections } from '../../../src/projections/allProjections.js';
import { digestOf } from '../../../src/projections/readModel/digest.js';
import { dataDirectories } from '../cli/dataDirectories.js';
import { toolledgerJson, type JsonAnswer } from '../cli/program.js';
import { LedgerCheck } from './ledgerCheck.js';
import { buildLoadedOwner, startLoadedOwner, type Said } from './loadedOwner.js';
import { on, replyResult, startHostileMcpServer, type HostileMcpServer } from '../hostileMcpServer.js';
import { seededRandom } from '../seededRandom.js';

const neverAborts = new AbortController().signal;

/** How many remote calls of each process get no answer, and are open when it dies. */
const unanswered = 3;

/** How many kills in all: `CRASH_RUNS`, by default 20. */
export const crashRuns = Number(process.env['CRASH_RUNS'] ?? 20);

/**
 * Kills a process under load again and again, at points that seeds decide, and looks at the ledger each time.
 * @param firstSeed the seeds are this one and those that follow; two suites with other seeds can run side by side
 */
export function describeKills(firstSeed: number, runs: number): void {
  jest.setTimeout(60_000 + runs * 20_000);
  const newDirectory = dataDirectories();

  describe(`a process killed ${runs} times under load`, () => {
    const data = newDirectory();
    const ledger = new LedgerCheck(join(data, 'ledger.db'));
    const damaged: unknown[] = [];
    const repeats: { readonly given: string; readonly before: string | null; readonly after: string; readonly replayed: boolean }[] = [];
    let remote: HostileMcpServer;
    let kills = 0;
    let acknowledged = 0;
    let live: { readonly [view: string]: string };
    let rebuilt: JsonAnswer;
    let verified: JsonAnswer;

    const program = buildLoadedOwner();
    afterAll(program.remove);

    beforeAll(async () => {
      remote = await startHostileMcpServer();
      let held = 0;
      remote.behave(
        on('tools/call', (message, response) => {
          held += 1;
          // The first few of each process stay without an answer; the connection dies with the process.
          if (held > unanswered) replyResult(response, message, { content: [{ type: 'text', text: 'done' }] });
        }),
      );

      let before: readonly Said[] = [];
      for (let cycle = 0; cycle <= runs; cycle += 1) {
        const random = seededRandom(firstSeed + cycle);
        const last = cycle === runs;
        const said: Said[] = [];
        // 0: while it starts, 1: when so many answers were heard, 2: by itself, when so many events are durable.
        const way = cycle === 0 ? 1 : random(5) === 0 ? 0 : 1 + random(2);
        const answers = random(60);
        held = 0;

        const owner = startLoadedOwner(program.script, data, (one) => {
          said.push(one);
          if (!last && way === 1 && !('repeated' in one) && said.length >= answers) owner.kill();
        });
        if (!last && way === 0 && (await owner.reached('starting'))) {
          for (let turn = random(20_000); turn > 0; turn -= 1) await new Promise(setImmediate);
          owner.kill();
          await owner.ended;
          kills += 1;
          continue;
        }
        if (!(await owner.reached('ready'))) throw new Error(`seed ${firstSeed + cycle}: the process did not get ready`);

        // Everything is settled and nothing new has begun: the ledger must be what was acknowledged.
        const when = `seed ${firstSeed + cycle}`;
        ledger.look(when);
        for (const one of before) {
          if ('called' in one) ledger.expectCall(one.callId, one.status, when);
          if ('appended' in one) ledger.expectStream(one.appended, one.events, when);
        }
        const { damage } = await verifyLedger(join(data, 'ledger.db'), () => undefined, neverAborts);
        if (damage !== null) damaged.push({ when, damage });

        const calls = new Map(before.flatMap((one) => ('called' in one ? [[one.called, one.status]] : [])));
        const open = remote.seen.map(({ params }) => (params['arguments'] as { call?: string } | undefined)?.call).filter((call) => call !== undefined);
        const repeat = [...[...calls.keys()].slice(-2), ...open.slice(-2)];
        owner.begin({
          cycle,
          load: !last,
          server: cycle === 0 ? remote.url : null,
          repeat,
          killAfterEvents: way === 2 ? answers : null,
        });
        await owner.ended;
        if (!last) kills += 1;
        for (const one of said) {
          if ('repeated' in one) {
            repeats.push({ given: one.repeated, before: calls.get(one.repeated) ?? null, after: one.answer.status, replayed: one.answer.replayed === true });
          }
        }
        before = said;
        acknowledged += said.filter((one) => !('repeated' in one)).length;
      }

      live = Object.fromEntries(allProjections({ callText: true }).map((projection) => [projection.name, digestOfFile(data, projection)]));
      rebuilt = await toolledgerJson(data, ['projections', 'rebuild', '--all']);
      verified = await toolledgerJson(data, ['ledger', 'verify']);
    });
    afterAll(() => remote.stop());

    it('was at work each time', () => {
      expect(kills).toBe(runs);
      expect(acknowledged).toBeGreaterThan(runs);
      expect(ledger.unknown.length).toBeGreaterThan(0);
    });

    it('lost nothing that was acknowledged', () => {
      expect(ledger.findings.lost).toEqual([]);
    });

    it('stored nothing twice', () => {
      expect(ledger.findings.doubled).toEqual([]);
    });

    it('left no gap in positions and revisions', () => {
      expect(ledger.findings.gaps).toEqual([]);
    });

    it('ended every open call as unknown at the next start', () => {
      expect(ledger.findings.open).toEqual([]);
    });

    it('sent no call twice', () => {
      const sent = remote.seen.flatMap(({ method, params }) => (method === 'tools/call' ? [JSON.stringify(params['arguments'])] : []));
      expect(sent.filter((call, index) => sent.indexOf(call) !== index)).toEqual([]);
    });

    it('answered every call made again from the record', () => {
      expect(repeats.length).toBeGreaterThan(0);
      expect(repeats.filter(({ before, after, replayed }) => !replayed || (before !== null && before !== after))).toEqual([]);
    });

    it('never had a damaged ledger', () => {
      expect(damaged).toEqual([]);
      expect(verified).toMatchObject({ code: 0, document: { ok: true, events: ledger.head } });
    });

    it('has views that equal a rebuild, row for row', () => {
      expect(Object.fromEntries(rebuilt.document.views.map(({ name, digest }) => [name, digest]))).toEqual(live);
    });
  });
}

function digestOfFile(data: string, projection: ReturnType<typeof allProjections>[number]): string {
  const db = new Database(join(data, 'readmodels', `${projection.name}@${projection.version}.db`), { readonly: true });
  try {
    return digestOf(db, projection);
  } finally {
    db.close();
  }
}
