import type { Verdict } from '../../availability.js';
import { explain } from '../../availability/explain.js';
import { reasonText } from '../../availability/reasons.js';
import type { World } from '../../availability/world.js';
import type { Refusal } from './judged.js';

/** The refusal that a verdict means, with what the facts say beyond its reasons; null when the tool is available. */
export function refusalOf({ subject, reasons }: Verdict, world: World): Refusal | null {
  const [first, ...others] = reasons;
  if (first === undefined) return null;
  const detail = reasons.map((reason) => explain(subject, reason, world)).join(' ');
  return { reasons: [first, ...others], ...(detail !== reasons.map(reasonText).join(' ') && { detail }) };
}
