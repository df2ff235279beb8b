#!/usr/bin/env node
import { run } from '../cli/run.js';
import { examineConfig } from '../platform/config.js';
import { makeLog } from '../platform/log.js';
import { openToolledger } from './openToolledger.js';
import { processTerminal } from './processTerminal.js';
import { version } from './version.js';

// Whoever read our output may be gone; that is no reason to fail.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A second signal ends the process at once, as people expect.
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
}

// Settings are read when a command first needs them, so that --help works whatever they are.
process.exitCode = await run(
  process.argv.slice(2),
  version,
  (options) => {
    const { config, problem } = examineConfig(process.env);
    if (problem !== null && !options.misconfigured) throw problem;
    return openToolledger(config, makeLog({ level: config.logLevel, destination: process.stderr }), problem)(options);
  },
  processTerminal,
  stop.signal,
);
