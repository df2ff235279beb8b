import { verifyLedger } from '../dist/events/sqlite/verifying/verifyLedger.js';
import { answer, given, peakMemory } from './child.mjs';

const began = performance.now();
const report = await verifyLedger(given().file, () => undefined, new globalThis.AbortController().signal);
const seconds = (performance.now() - began) / 1000;
if (report.damage !== null) throw new Error(`verify found damage: ${JSON.stringify(report.damage)}`);
answer({ seconds, events: report.events, peakMemory: peakMemory() });
