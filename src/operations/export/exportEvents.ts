import { z } from 'zod';
import { boxesOf } from '../../events/box.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { exportFormats } from '../../events/catalogue/ledgerOperations.js';
import { comparePositions, type Position, type RecordedEvent } from '../../events/envelope.js';
import { operation } from '../operation.js';
import { resolvedConditions } from './conditions.js';
import { erased, sealed, type ExportEntry, type ExportFormat } from './exportEntry.js';
import type { HistoryServices } from './historyServices.js';
import { cloudEvents } from './formats/cloudEvents.js';
import { csv } from './formats/csv.js';
import { jsonLines } from './formats/jsonLines.js';
import { ocsf } from './formats/ocsf/ocsf.js';
import { matchingEvents } from './matchingEvents.js';

/** Every form, by its name. */
export const formats: { readonly [Name in (typeof exportFormats)[number]]: ExportFormat } = { jsonl: jsonLines, csv, cloudevents: cloudEvents, ocsf };

/** Some lines of an export, in the ledger's order. */
export interface ExportedPage {
  readonly text: string;
  readonly records: number;
  /** Positions of the first and last event in it; null when there is none. */
  readonly first: Position | null;
  readonly last: Position | null;
  /** The last event looked at: from there an interrupted export goes on. */
  readonly readTo: Position;
  /** How many of all events to look at were looked at by this run. */
  readonly done: number;
  readonly total: number;
}

/**
 * Writes matching events down, page by page, in as much memory as one page takes. Records nothing: `makeExport` does.
 */
export const exportEvents = operation({
  name: 'exportEvents',
  reach: 'history',
  input: z.object({
    format: z.enum(exportFormats),
    conditions: resolvedConditions,
    /** Whether personal values are written open; whoever asks has recorded that. */
    open: z.boolean(),
    /** Only what lies after this. */
    after: z.string().nullable(),
    /** Nothing that lies after this. */
    end: z.string(),
    /** Takes a page; the next one is read when its promise resolves. */
    take: z.custom<(page: ExportedPage) => Promise<void>>((value) => typeof value === 'function'),
  }),
  output: z.object({}),
  async run(services, { format, conditions, open, take, ...given }, { signal }) {
    const { since, until } = conditions;
    const after = later(given.after, since === undefined ? null : services.lastBefore(since));
    const end = until === undefined ? given.end : earlier(given.end, services.lastBefore(until));
    if (end === null) return {};
    const total = Math.max(0, (await services.ledger.countAfter(after)) - (await services.ledger.countAfter(end)));
    let done = 0;
    for await (const page of matchingEvents({ ...services, catalogue }, conditions, { after, end })) {
      signal.throwIfAborted();
      const personalOf = open ? openedValues(services) : sealedValues(services);
      const written = page.entries.flatMap(({ event, known, call }) => {
        const line = formats[format].encode({ event, known, call, personal: personalOf(event) });
        return line === null ? [] : [{ line, position: event.position }];
      });
      done = Math.min(total, done + page.read);
      await take({
        text: written.map(({ line }) => line).join(''),
        records: written.length,
        first: written[0]?.position ?? null,
        last: written.at(-1)?.position ?? null,
        readTo: page.readTo,
        done,
        total,
      });
    }
    return {};
  },
});

type PersonalOf = (event: RecordedEvent) => ExportEntry['personal'];

function openedValues({ openBoxes }: Pick<HistoryServices, 'openBoxes'>): PersonalOf {
  return (event) =>
    openBoxes(event).map(([subject, values]) => ({ subject, values: values === null ? erased : catalogue.decodePersonal(event, values) }));
}

/** Asks for each person once a page: whether keys have changed is asked of the file each time. */
function sealedValues({ hasKey }: Pick<HistoryServices, 'hasKey'>): PersonalOf {
  const shown = new Map<string, typeof sealed | typeof erased>();
  const shownFor = (subject: string): typeof sealed | typeof erased => {
    const known = shown.get(subject) ?? (hasKey(subject) ? sealed : erased);
    shown.set(subject, known);
    return known;
  };
  return (event) => boxesOf(event.boxes).map(([subject]) => ({ subject, values: shownFor(subject) }));
}

function later(a: Position | null, b: Position | null): Position | null {
  return a === null || (b !== null && comparePositions(a, b) < 0) ? b : a;
}

function earlier(a: Position, b: Position | null): Position | null {
  return b === null || comparePositions(a, b) > 0 ? b : a;
}
