import type { Database } from 'better-sqlite3';
import { Fault } from '../../platform/fault.js';
import { serversOf } from '../mcpServers/queries.js';
import { callsOfTurn } from '../toolCallLog/callsOfTurn.js';
import { countCalls } from '../toolCallLog/countCalls.js';
import { matchingCalls } from '../toolCallLog/matchingCalls.js';
import { countedRefusals } from '../toolCallLog/refusalCounts.js';
import { searchCalls } from '../toolCallLog/searchCalls.js';
import { snapshotsOf } from '../toolNameSnapshots/queries.js';
import { allWorkspaces, registryOf } from '../toolRegistry/queries.js';
import type { ViewQueries } from '../views.js';

/** Gives the connection to a view's file; null when the view is switched off. */
export type OpenView = (view: string) => Database | null;

type Answers = { readonly [Name in keyof ViewQueries]: (open: OpenView, input: ViewQueries[Name]['input']) => ViewQueries[Name]['output'] };

const answers: Answers = {
  searchCalls: (open, filter) => searchCalls(must(open, 'toolCallLog'), textFor(open, filter), filter),
  countCalls: (open, filter) => countCalls(must(open, 'toolCallLog'), textFor(open, filter), filter),
  countedRefusals: (open, filter) => countedRefusals(must(open, 'toolCallLog'), filter),
  matchingCalls: (open, { filter, places }) => matchingCalls(must(open, 'toolCallLog'), textFor(open, filter), filter, places),
  callsOfTurn: (open, turn) => callsOfTurn(must(open, 'toolCallLog'), turn),
  mcpServers: (open, { workspace }) => serversOf(must(open, 'mcpServers'), workspace),
  toolRegistry: (open, { workspace }) => registryOf(must(open, 'toolRegistry'), workspace),
  toolNameSnapshots: (open, { workspace }) => snapshotsOf(must(open, 'toolNameSnapshots'), workspace),
  workspaces: (open) => allWorkspaces(must(open, 'toolRegistry')),
};

/** Answers a query from the views' files. @throws Fault as the query says */
export function answerQuery<Name extends keyof ViewQueries>(
  open: OpenView,
  name: Name,
  input: ViewQueries[Name]['input'],
): ViewQueries[Name]['output'] {
  return answers[name](open, input);
}

function textFor(open: OpenView, { text }: { readonly text?: string }): Database | null {
  return text === undefined ? null : open('callText');
}

function must(open: OpenView, view: string): Database {
  const db = open(view);
  if (db === null) throw new Fault('failed', 'view_off', `The view ${view} is switched off.`, { view });
  return db;
}
