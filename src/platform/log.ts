import { pino } from 'pino';
import { systemClock, type Clock } from './time/clock.js';
import { loggable, loggableText } from './loggable.js';
import { terminalSafeJson } from './text/terminal.js';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Facts that go with a message, as JSON fields. Errors may be among them. */
type LogFields = { readonly [name: string]: unknown } & {
  /** Names the line itself uses. */
  readonly level?: never;
  readonly time?: never;
  readonly msg?: never;
};

/** Takes notes for operators. No method throws, and no secret that the scrubber knows gets through. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/**
 * A log of JSON lines `{level, time, …fields, msg}`, each safe to print on a terminal.
 * @param options `level`: the least that is written; `debug` also writes stacks of errors.
 *   `destination`: where lines go, normally `process.stderr`. `clock`: stamps the lines
 */
export function makeLog(options: {
  readonly level: LogLevel;
  readonly destination: { write(line: string): unknown };
  readonly clock?: Clock;
}): Log {
  const clock = options.clock ?? systemClock;
  const lines = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => void options.destination.write(terminalSafeJson(line)) },
  );
  const note = (level: keyof Log) => (fields: LogFields, message: string): void => {
    if (lines.isLevelEnabled(level)) lines[level](loggable(fields, { stacks: options.level === 'debug' }), loggableText(message));
  };
  return { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
}
