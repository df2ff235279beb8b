import type { CallFacts } from './callFacts.js';
import type { CallConditions } from './toolCallLog/queries.js';

/** A filter value in one piece, e.g. `t=roll_dice`; the letter says which filter it is of. */
export type CallTerm = `${'w' | 'c' | 'p' | 't' | 's' | 'o' | 'r'}=${string}`;

/** Every term a call is found by, each once. */
export function termsOf(call: CallFacts): readonly CallTerm[] {
  const terms = new Set<CallTerm>([`w=${call.workspace}`, `p=${call.actor}`, `o=${call.outcome}`]);
  if (call.onBehalfOf !== null) terms.add(`p=${call.onBehalfOf}`);
  if (call.channel !== null) terms.add(`c=${call.channel}`);
  if (call.tool !== null) terms.add(`t=${call.tool}`);
  if (call.serverId !== null) terms.add(server(call.serverId));
  if (call.serverName !== null) terms.add(server(call.serverName));
  for (const reason of call.reasons) terms.add(`r=${reason}`);
  return [...terms];
}

/** The terms that a call must have to match a filter; text and times are not among them. */
export function wantedTerms(filter: CallConditions): readonly CallTerm[] {
  const terms: CallTerm[] = [];
  if (filter.reason !== undefined) terms.push(`r=${filter.reason}`);
  if (filter.subject !== undefined) terms.push(`p=${filter.subject}`);
  if (filter.channel !== undefined) terms.push(`c=${filter.channel}`);
  if (filter.server !== undefined) terms.push(server(filter.server));
  if (filter.tool !== undefined) terms.push(`t=${filter.tool}`);
  if (filter.workspace !== undefined) terms.push(`w=${filter.workspace}`);
  if (filter.outcome !== undefined) terms.push(`o=${filter.outcome}`);
  return terms;
}

// Names of servers are unique whatever their case.
const server = (nameOrId: string): CallTerm => `s=${nameOrId.toLowerCase()}`;
