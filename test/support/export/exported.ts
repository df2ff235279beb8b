import { openBoxesWith } from '../../../src/app/reader/boxes.js';
import { exportEvents, type ExportedPage } from '../../../src/operations/export/exportEvents.js';
import type { HistoryServices } from '../../../src/operations/export/historyServices.js';
import { runOperation } from '../../../src/operations/runOperation.js';
import { callText } from '../../../src/projections/callText/projection.js';
import { answerQuery } from '../../../src/projections/querying/viewQueries.js';
import { toolCallLog } from '../../../src/projections/toolCallLog/projection.js';
import { folded } from '../projections/foldedModel.js';
import type { TestLedger } from '../projections/testLedger.js';

/** A ledger in an array as an export reads it, with views that have folded all of it. */
export function historyOf(ledger: TestLedger): HistoryServices {
  const models = new Map([toolCallLog, callText].map((projection) => [projection.name, folded(projection, ledger).db]));
  return {
    ledger: {
      readStream: async (stream, from, limit) => ledger.readStream(stream, from, limit),
      readAll: async (after, limit) => ledger.readAll(after, limit),
      head: async () => ledger.head(),
      leafAt: async (position) => ledger.leafAt(position),
      countAfter: async (after) => ledger.countAfter(after),
    },
    views: { query: async (name, input) => answerQuery((view) => models.get(view) ?? null, name, input) },
    openBoxes: openBoxesWith(ledger),
    hasKey: (subject) => ledger.keyOf(subject) !== null,
    lastBefore: (time) => ledger.events.findLast(({ recordedAt }) => recordedAt < time)?.position ?? null,
  };
}

/** What an export of a ledger asks for; the rest is as the command line has it. */
export type Wanted = Partial<Pick<Parameters<typeof exportEvents.run>[1], 'format' | 'conditions' | 'open' | 'after' | 'end'>>;

/** Every page of an export. */
export async function exportedPages(ledger: TestLedger, wanted: Wanted = {}): Promise<readonly ExportedPage[]> {
  const pages: ExportedPage[] = [];
  const take = async (page: ExportedPage): Promise<void> => void pages.push(page);
  const input = { format: 'jsonl', conditions: {}, open: false, after: null, end: ledger.head()?.position ?? '0', take, ...wanted } as const;
  const caller = { actor: 'reviewer', door: 'cli', onBehalfOf: null } as const;
  await runOperation(exportEvents, historyOf(ledger), input, { caller, signal: new AbortController().signal, progress: () => undefined });
  return pages;
}

/** The text of an export, without what a form has before the first line. */
export async function exportedText(ledger: TestLedger, wanted: Wanted = {}): Promise<string> {
  return (await exportedPages(ledger, wanted)).map(({ text }) => text).join('');
}

/** The records of a form that writes one JSON object a line. */
export async function exportedRecords(ledger: TestLedger, wanted: Wanted = {}): Promise<readonly { readonly [field: string]: unknown }[]> {
  const text = await exportedText(ledger, wanted);
  return text.split('\n').slice(0, -1).map((line) => JSON.parse(line) as { readonly [field: string]: unknown });
}
