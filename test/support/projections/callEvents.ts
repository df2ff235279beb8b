import type { ToolCallEvent, ToolCallRoute } from '../../../src/events/catalogue/toolCall.js';
import type { EventSettings, TestLedger } from './testLedger.js';

type DataOf<Type extends ToolCallEvent['type']> = Extract<ToolCallEvent, { type: Type }>['data'];

const kept = { parameters: {}, redaction: [], argumentsDigest: null, argumentsBytes: 2, channel: null };
const basis = { workspace: 0, settings: null, servers: null };

/** What the result of a call looked like, when nobody cares. */
export const someResult = { bytes: 2, kinds: ['text'], previewCut: false, redaction: [] };

/** A route to a tool of a remote server. */
export function remoteRoute(serverId: string, serverName: string): ToolCallRoute {
  return { kind: 'mcp', serverId, serverName, remoteName: null, definition: '0'.repeat(64) };
}

const to = (callId: string, settings: EventSettings): EventSettings => ({ stream: `toolCall-${callId}`, ...settings });

export function admit(ledger: TestLedger, callId: string, data: Partial<DataOf<'ToolCallAdmitted'>> = {}, settings: EventSettings = {}): void {
  ledger.add({ type: 'ToolCallAdmitted', data: { tool: 'roll_dice', route: { kind: 'builtin', definition: 'd'.repeat(64) }, ...kept, deadline: 0, basis, ...data } }, to(callId, settings));
}

export function refuse(ledger: TestLedger, callId: string, data: Partial<DataOf<'ToolCallRefused'>> = {}, settings: EventSettings = {}): void {
  const whole = { tool: 'roll_dice', route: null, reasons: ['switched_off'], ...kept, basis, conflictsWith: null, ...data };
  ledger.add({ type: 'ToolCallRefused', data: whole }, to(callId, settings));
}

export function succeed(ledger: TestLedger, callId: string, settings: EventSettings = {}): void {
  ledger.add({ type: 'ToolCallSucceeded', data: { durationMs: 7, result: someResult } }, to(callId, settings));
}

export function fail(ledger: TestLedger, callId: string, code: string, settings: EventSettings = {}): void {
  ledger.add({ type: 'ToolCallFailed', data: { durationMs: 9, party: 'tool', code, result: null } }, to(callId, settings));
}

export function cancel(ledger: TestLedger, callId: string, settings: EventSettings = {}): void {
  ledger.add({ type: 'ToolCallCancelled', data: { durationMs: 3, by: 'caller' } }, to(callId, settings));
}

export function loseTrack(ledger: TestLedger, callId: string, settings: EventSettings = {}): void {
  ledger.add({ type: 'ToolCallOutcomeUnknown', data: { durationMs: 30, cause: 'timeout' } }, to(callId, settings));
}

export function settle(ledger: TestLedger, callId: string, verdict: 'succeeded' | 'failed', settings: EventSettings = {}): void {
  ledger.add({ type: 'ToolCallOutcomeSettled', data: { verdict, source: 'person', result: null } }, to(callId, settings));
}
