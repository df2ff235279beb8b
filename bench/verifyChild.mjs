import { verifyLedger } from '../dist/events/sqlite/verifying/verifyLedger.js';
import { answer, given, peakMemory } from './child.mjs';

const began = performance.now();
// Nothing is signed, and the tree is computed all the same.
const sealed = { heads: [], tiles: null, from: 0, past: [], isPart: false };
const report = await verifyLedger(given().file, () => undefined, new globalThis.AbortController().signal, sealed);
const seconds = (performance.now() - began) / 1000;
if (report.damage !== null) throw new Error(`verify found damage: ${JSON.stringify(report.damage)}`);
answer({ seconds, events: report.events, peakMemory: peakMemory() });
