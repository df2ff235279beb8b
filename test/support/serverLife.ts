import type { AnyEvent } from '../../src/events/catalogue/catalogue.js';
import type { McpServersEvent } from '../../src/events/catalogue/mcpServers/mcpServers.js';
import type { EventPlace } from '../../src/commands/decider.js';
import type { OnRecord } from '../../src/operations/servers/replay/happened.js';
import { placeAt } from './deciderSpec.js';
import { TestLedger, type EventSettings } from './projections/testLedger.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const serverId = '0198c0de-0000-7000-8000-000000000001';

type DataOf<Type extends McpServersEvent['type']> = Extract<McpServersEvent, { type: Type }>['data'];

export function registered(data: Partial<DataOf<'McpServerRegistered'>> = {}): McpServersEvent {
  return { type: 'McpServerRegistered', data: { serverId, name: 'notes', kind: 'generic', scheme: 'https', host: 'mcp.example', port: 443, credential: 'token', ...data } };
}

/** A counted failure, unless it is told otherwise. */
export function failedOnce(streak: number, cooldownMs: number, data: Partial<DataOf<'McpConnectionFailed'>> = {}): McpServersEvent {
  return { type: 'McpConnectionFailed', data: { serverId, class: 'timeout', counted: true, streak, cooldownMs, ...data } };
}

/** An event that says nothing but which server it happened to. */
export function plainly(type: 'McpServerEnabled' | 'McpServerDisabled' | 'McpServerRemoved' | 'McpConnectionRecovered' | 'McpServerUnparked' | 'McpSessionExpired' | 'McpCredentialDeleted'): McpServersEvent {
  return { type, data: { serverId } };
}

/** A definition's hash that says which letter it was made from. */
export function definition(letter: string): string {
  return letter.charCodeAt(0).toString(16).padStart(64, '0');
}

/** Tools of these names, each with the definition of a letter: `{ search: 'a' }`. */
export function discovered(tools: { readonly [name: string]: string }, more: Partial<DataOf<'McpToolsDiscovered'>> = {}): McpServersEvent {
  const named = Object.entries(tools).map(([name, letter]) => ({ name, remoteName: name, definition: definition(letter) }));
  return { type: 'McpToolsDiscovered', data: { serverId, tools: named, skipped: [], instructions: null, ...more } };
}

/** Where an event lies that was recorded, and happened, at a time. */
export function at(time: number, by = 'system'): EventPlace {
  return { ...placeAt(time), occurredAt: time, recordedAt: time, actor: by };
}

/** An event and when it was recorded, in milliseconds. */
export type Told = readonly [time: number, known: McpServersEvent, settings?: EventSettings];

/** A record of events at their times. */
export function onRecord(...events: readonly Told[]): readonly OnRecord[] {
  const ledger = new TestLedger();
  return events.map(([recordedAt, known, settings]) => ({ known, at: ledger.add(known as AnyEvent, { stream: 'mcpServers-local', actor: 'system', recordedAt, ...settings }) }));
}
