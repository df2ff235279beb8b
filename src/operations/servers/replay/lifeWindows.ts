import { mcpServersDecider } from '../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../commands/mcpServers/mcpServersState.js';
import type { Standing } from '../standingText.js';
import type { Happened } from './happened.js';
import { standingThen } from './standingThen.js';

/** A stretch of time in which a server stood in one way; milliseconds since the epoch. */
export interface LifeWindow {
  readonly state: Standing['state'];
  readonly from: number;
  /** Null: it goes on. */
  readonly to: number | null;
}

/**
 * How a server stood from its registration on, without gaps, until it was removed.
 * @param life everything that happened to one server, in order
 * @param until nothing is said of later times
 */
export function windowsOf(life: readonly Happened[], until: number): readonly LifeWindow[] {
  const changes: { readonly state: Standing['state'] | null; readonly from: number }[] = [];
  let state = mcpServersDecider.initialState();

  function change(to: Standing['state'] | null, from: number): void {
    if (changes.at(-1)?.from === from) changes.pop();
    if (changes.at(-1)?.state !== to) changes.push({ state: to, from });
  }

  for (const [index, { known, at }] of life.entries()) {
    state = mcpServersDecider.evolve(state, known, at);
    const server = serverById(state, known.data.serverId);
    const from = at.recordedAt;
    change(server === undefined ? null : standingThen(server, from, from).state, from);
    // No event says that a wait is over.
    const end = server?.connection.waitUntil ?? from;
    const next = life[index + 1]?.at.recordedAt;
    if (server !== undefined && end > from && end <= until && (next === undefined || end < next)) change(standingThen(server, from, end).state, end);
  }
  return changes.flatMap(({ state: stood, from }, index) => (stood === null ? [] : [{ state: stood, from, to: changes[index + 1]?.from ?? null }]));
}

/** How long a server stood in a way, in milliseconds, up to a time. */
export function timeIn(windows: readonly LifeWindow[], state: Standing['state'], until: number): number {
  return windows.filter((window) => window.state === state).reduce((sum, { from, to }) => sum + (to ?? until) - from, 0);
}
