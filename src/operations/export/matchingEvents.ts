import type { Catalogue } from '../../events/catalogue/catalogue.js';
import { comparePositions, type Position, type RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import type { CallConditions } from '../../projections/toolCallLog/queries.js';
import type { Views } from '../../projections/views.js';
import { CallStarts, isCallStep, ordinalOf } from './callStarts.js';
import type { ExportEntry } from './exportEntry.js';
import { unaltered } from '../unaltered.js';
import { callPart } from './conditions.js';
import { isAbout } from './isAbout.js';

/** How many events are looked at before others get their turn. */
const pageEvents = 500;

type Found = Omit<ExportEntry, 'personal'>;
type Candidate = Found & { readonly place: number | null };

/** A stretch of the ledger that was gone through. */
export interface MatchingPage {
  readonly entries: readonly Found[];
  /** The last event looked at. */
  readonly readTo: Position;
  /** How many were looked at. */
  readonly read: number;
}

/** What is searched. */
export interface SearchedLedger {
  readonly ledger: Pick<EventReader, 'readAll' | 'readStream' | 'countAfter'>;
  readonly views: Pick<Views, 'query'>;
  readonly catalogue: Catalogue;
}

/**
 * Goes through the ledger in order, page by page, and gives the events that match: those of matching calls, and others
 * whose envelope matches. Conditions that only a call can meet leave the others out. Times are those of the event.
 * @param range after the one position (null: from the beginning) up to and including the other
 * @throws Fault `altered_event`, those of the catalogue when an event cannot be read, and those of `matchingCalls`
 */
export async function* matchingEvents(
  { ledger, views, catalogue }: SearchedLedger,
  conditions: CallConditions,
  range: { readonly after: Position | null; readonly end: Position },
): AsyncGenerator<MatchingPage> {
  const starts = new CallStarts(ledger, catalogue);
  let ordinal = range.after === null ? 0 : await ordinalOf(ledger, range.after);
  let after = range.after;
  while (after === null || comparePositions(after, range.end) < 0) {
    const events = await ledger.readAll(after, pageEvents);
    const readTo = events.at(-1)?.position;
    if (readTo === undefined) return;
    const candidates: Candidate[] = [];
    for (const event of events) {
      ordinal += 1;
      if (comparePositions(event.position, range.end) > 0 || !withinEnvelope(event, conditions)) continue;
      candidates.push(await candidateOf(event, ordinal));
    }
    yield { entries: await chosen(candidates), readTo, read: events.length };
    after = readTo;
  }

  async function candidateOf(event: RecordedEvent, at: number): Promise<Candidate> {
    const known = catalogue.decode(unaltered(event));
    if (!isCallStep(known)) return { event, known, call: null, place: null };
    const start = starts.seen(event, known, at) ?? (await starts.read(event.stream));
    if (start === null) return { event, known, call: null, place: null };
    return { event, known, call: { callId: start.callId, facts: start.facts, step: known }, place: start.place };
  }

  async function chosen(candidates: readonly Candidate[]): Promise<readonly Found[]> {
    const ofCalls = callPart(conditions);
    if (Object.keys(ofCalls).length === 0) return candidates;
    const places = candidates.flatMap(({ place }) => (place === null ? [] : [place]));
    const matching = new Set(places.length === 0 ? [] : await views.query('matchingCalls', { filter: ofCalls, places }));
    const { subject, ...ofCallsOnly } = ofCalls;
    const othersToo = subject !== undefined && Object.keys(ofCallsOnly).length === 0;
    return candidates.filter((candidate) => (candidate.place === null ? othersToo && isAbout(candidate, subject) : matching.has(candidate.place)));
  }
}

function withinEnvelope({ recordedAt, workspace }: RecordedEvent, wanted: CallConditions): boolean {
  return (
    (wanted.since === undefined || recordedAt >= wanted.since) &&
    (wanted.until === undefined || recordedAt < wanted.until) &&
    (wanted.workspace === undefined || workspace === wanted.workspace)
  );
}
