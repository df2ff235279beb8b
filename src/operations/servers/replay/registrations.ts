import { isSameServerName } from '../../../commands/mcpServers/mcpServerName.js';
import { Fault } from '../../../platform/fault.js';
import { quoteGiven } from '../../../platform/text/given.js';
import { iso } from '../../words.js';
import type { Happened } from './happened.js';

/** Which registrations are meant. */
export interface Named {
  readonly workspace: string;
  readonly name: string;
  /** One of those of this name only; null: all of them. */
  readonly id: string | null;
  /** What was recorded later does not count, milliseconds since the epoch; null: everything does. */
  readonly asOf: number | null;
}

/** What is on record of one registration. */
export interface Life<Each extends Happened> {
  readonly serverId: string;
  /** Milliseconds since the epoch. */
  readonly registeredAt: number;
  /** Everything, in order, from the registration on. */
  readonly record: readonly Each[];
}

const mostNames = 20;

/**
 * Parts what is on record by registration: the lives of all servers that were ever registered under a name, whatever
 * its case, oldest first.
 * @throws Fault `not_found` that says which names, or ids, there are
 */
export function livesNamed<Each extends Happened>(record: readonly Each[], { workspace, name, id, asOf }: Named): readonly [Life<Each>, ...Life<Each>[]] {
  const registered = record.flatMap(({ known, at: { recordedAt } }) => (known.type === 'McpServerRegistered' ? [{ ...known.data, registeredAt: recordedAt }] : []));
  const namesakes = registered.filter((server) => isSameServerName(server.name, name));
  const lives = namesakes
    .filter(({ serverId }) => id === null || serverId === id)
    .map(({ serverId, registeredAt }) => ({ serverId, registeredAt, record: record.filter(({ known }) => known.data.serverId === serverId) }));
  const [first, ...others] = lives;
  if (first !== undefined) return [first, ...others];
  const where = `in ${workspace}${asOf === null ? '' : ` by ${iso(asOf)}`}`;
  if (id !== null && namesakes.length > 0) {
    const ids = namesakes.map(({ serverId }) => serverId);
    throw new Fault('failed', 'not_found', `No server ${quoteGiven(name)} was registered ${where} with the id ${quoteGiven(id)}. Its ids: ${ids.join(', ')}.`, { workspace, name, id, ids });
  }
  throw new Fault('failed', 'not_found', `No server ${quoteGiven(name)} was ever registered ${where}. ${namesSaid(registered)}`, { workspace, name });
}

function namesSaid(registered: readonly { readonly name: string }[]): string {
  const names = [...new Set(registered.map(({ name }) => name))];
  if (names.length === 0) return 'None was; add one with `toolledger mcp add URL --name NAME`.';
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `These were: ${names.slice(0, mostNames).join(', ')}${more}.`;
}
