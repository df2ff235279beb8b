import type { Invoke } from '../operations/operation.js';

/** One finding of `doctor`. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
}

/** What was given up by `ledger accept-loss`. */
export interface AcceptedLoss {
  readonly kept: string | null;
  readonly missing: string;
  readonly epoch: number;
}

/** The product as the command line sees it: one data directory, reached whichever way fits. */
export interface Toolledger {
  readonly invoke: Invoke;
  /** Runs everything until the signal; `announce` gets the lines that tell people what runs where. */
  serve(signal: AbortSignal, announce: (lines: readonly string[]) => void): Promise<void>;
  doctor(): Promise<readonly Finding[]>;
  /** @returns null when nothing is missing */
  acceptLoss(): Promise<AcceptedLoss | null>;
}

/**
 * Opens the product on a data directory.
 * @param options `dataDir`: from `--data`, or null for the configured one; `command`: the command line for messages to others;
 *   `notice`: tells the person at the terminal something on stderr
 */
export type OpenToolledger = (options: {
  readonly dataDir: string | null;
  readonly command: string;
  readonly notice: (line: string) => void;
}) => Toolledger;
