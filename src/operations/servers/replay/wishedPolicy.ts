import { limitsFor } from '../../../commands/mcpServers/breaker.js';
import { durationText } from '../../../platform/time/duration.js';
import { Fault } from '../../../platform/fault.js';
import type { BreakerPolicy } from './policyReplay.js';

const leastMs = 1_000;
const longestMs = 366 * 86_400_000;

/**
 * The policy that somebody wants to compare with the present one. What is not said is as it is now; the cap is now 36
 * times the first quarantine.
 * @throws Fault usage `invalid_policy`
 */
export function wishedPolicy(wish: { readonly [Part in keyof BreakerPolicy]: number | null }, presentBaseMs: number): BreakerPolicy {
  const baseMs = wish.baseMs ?? presentBaseMs;
  const limits = limitsFor(baseMs);
  const policy = { baseMs, longestMs: wish.longestMs ?? limits.longestMs, autoDisableAfterMs: wish.autoDisableAfterMs ?? limits.autoDisableAfterMs };
  for (const [what, ms] of [['first quarantine', wish.baseMs], ['cap', wish.longestMs], ['time until a server is disabled by itself', wish.autoDisableAfterMs]] as const) {
    if (ms !== null && (ms < leastMs || ms > longestMs)) throw invalid(`The ${what} was given as ${durationText(ms)}; it is from ${durationText(leastMs)} to ${durationText(longestMs)}.`);
  }
  if (policy.longestMs < baseMs) {
    throw invalid(`The cap of ${durationText(policy.longestMs)} is below the first quarantine of ${durationText(baseMs)}; give a --cap that is at least as long, or a shorter --cooldown.`);
  }
  return policy;
}

function invalid(message: string): Fault {
  return new Fault('usage', 'invalid_policy', message);
}
