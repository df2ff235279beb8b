import type { z } from 'zod';
import type { readPerson } from '../../../operations/privacy/readPerson.js';
import { jsonText } from '../../format/jsonText.js';

export type PersonEntry = z.output<typeof readPerson.output>['entries'][number];

/** What is told of each kind of event, for people who never saw the product. */
const meanings: { readonly [type: string]: string } = {
  ToolCallAdmitted: 'A tool was called for you, with these arguments.',
  ToolCallRefused: 'A call of a tool was refused, and why.',
  ToolCallSucceeded: 'The tool answered; the beginning of its answer is kept.',
  ToolCallFailed: 'The tool, or the way to it, failed.',
  ToolCallCancelled: 'The call was given up before anything was sent.',
  ToolCallOutcomeUnknown: 'Something was sent and no answer is known.',
  ToolCallOutcomeSettled: 'What became of a call of unknown outcome was found out later.',
  ToolCallRefusalsCounted: 'Many refused calls, counted together.',
  SubjectHeld: 'A legal hold keeps your data from being erased.',
  SubjectReleased: 'The legal hold ended.',
  PersonalValuesOpened: 'Somebody was shown values that are sealed with your key.',
};

interface IndexLine {
  readonly type: string;
  readonly meaning: string;
  events: number;
  readonly first: string;
  last: string;
}

/**
 * Writes the document: who it is about, what kinds of events there are and what they mean, then the events one a line.
 * Reads twice, so that the index comes first and nothing is held in memory.
 * @returns how many events it holds
 */
export async function personDocument(
  about: { readonly user: string; readonly subject: string; readonly upTo: string },
  read: () => AsyncIterable<PersonEntry>,
  pour: (text: string) => Promise<void>,
): Promise<number> {
  const index = new Map<string, IndexLine>();
  let events = 0;
  for await (const { type, recordedAt } of read()) {
    events += 1;
    const line = index.get(type);
    if (line === undefined) index.set(type, { type, meaning: meanings[type] ?? type, events: 1, first: recordedAt, last: recordedAt });
    else {
      line.events += 1;
      line.last = recordedAt;
    }
  }
  const head = {
    format: 'toolledger person export 1',
    about: 'Everything that toolledger keeps of one person and can read. Times are UTC. "data" is kept in clear; "values" was sealed with a key of that person alone.',
    person: { user: about.user, subject: about.subject },
    upToPosition: about.upTo,
    index: [...index.values()],
  };
  await pour(`${jsonText(head, 2).slice(0, -2)},\n  "events": [`);
  let before = '\n    ';
  for await (const entry of read()) {
    await pour(`${before}${jsonText(entry)}`);
    before = ',\n    ';
  }
  await pour('\n  ]\n}\n');
  return events;
}
