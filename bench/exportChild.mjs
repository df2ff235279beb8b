import { openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { dataFiles } from '../dist/app/dataFiles.js';
import { openHistoryReader } from '../dist/app/reader/historyReader.js';
import { exportEvents } from '../dist/operations/export/exportEvents.js';
import { runOperation } from '../dist/operations/runOperation.js';
import { readConfig } from '../dist/platform/config.js';
import { answer, given, peakMemory } from './child.mjs';

const { directory, format, conditions, events } = given();
const reader = openHistoryReader({ files: dataFiles(directory), config: readConfig({}) });
const out = openSync(devNull, 'w');
const take = async ({ text }) => void writeSync(out, text);
const input = { format, conditions, open: false, after: null, end: String(events), take };
const began = performance.now();
await runOperation(exportEvents, reader.services, input, { caller: reader.caller, signal: new globalThis.AbortController().signal, progress: () => undefined });
const seconds = (performance.now() - began) / 1000;
reader.close();
answer({ seconds, events, peakMemory: peakMemory() });
