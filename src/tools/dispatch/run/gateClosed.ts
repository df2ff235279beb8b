import { judge } from '../../availability.js';
import type { ToolSubject } from '../../availability/facts.js';
import { explain } from '../../availability/explain.js';
import { makeWorld } from '../../availability/world.js';
import { loadWorkspaceFacts } from '../../workspaceFacts.js';
import { askerOf, type Call } from '../begin/call.js';
import { failedEnd } from '../ending/endOf.js';
import type { Ended } from '../ending/ended.js';
import { runFacts, type Flow } from '../flow.js';

/**
 * Looks at every gate again, right before something is sent or changed.
 * @returns the ending when one closed since the call was admitted, or null
 */
export async function gateClosed(flow: Flow, call: Call, subject: ToolSubject, started: number): Promise<Ended | null> {
  const { handler, registry, policy, clock } = flow.parts;
  const facts = await loadWorkspaceFacts(handler, call.origin.workspace, clock.now());
  const world = makeWorld(facts, registry, policy, askerOf(call));
  const { reasons } = judge(subject, world);
  if (reasons.length === 0) return null;
  const message = `Nothing was sent: a gate closed after the call was let through. ${reasons.map((reason) => explain(subject, reason, world)).join(' ')}`;
  return failedEnd(runFacts(flow, call, started), { party: 'guard', code: 'refused_before_send', message });
}
