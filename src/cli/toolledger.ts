import type { Invoke } from '../operations/operation.js';
import type { JsonValue } from '../platform/json.js';

/** One finding of `doctor`. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
}

/** What was given up by `ledger accept-loss`. */
export interface AcceptedLoss {
  readonly kept: string | null;
  /** Null: only the key that seals the ledger was lost. */
  readonly missing: string | null;
  readonly epoch: number;
}

/** What `ledger restore` put in place. */
export interface RestoredLedger {
  readonly events: number;
  readonly epoch: number;
  /** How many people's values lie sealed in it. */
  readonly people: number;
  /** Those that no key here opens: erased people, and people of keys that are not here. */
  readonly unreadable: { readonly people: number; readonly events: number };
  readonly hasKeys: boolean;
}

/** What `keys restore` put in place. */
export interface RestoredKeys {
  /** How many people have a key now. */
  readonly people: number;
  /** How many keys of the backup were destroyed because their people were erased since. */
  readonly destroyed: number;
}

/** What `keys rotate` did. */
export interface RotatedKeys {
  /** Where the new master key lies; null when the configuration must be changed. */
  readonly masterKeyFile: string | null;
  /** Whether nothing is left in the file that the old master key opens. */
  readonly swept: boolean;
}

/** What was given up by `ledger accept-loss --keys`. */
export interface AcceptedKeyLoss {
  readonly subjects: number;
  readonly upTo: string;
}

/** The product as the command line sees it: one data directory, reached whichever way fits. */
export interface Toolledger {
  readonly invoke: Invoke;
  /** Runs everything until the signal; `announce` gets the lines that tell people what runs where. */
  serve(signal: AbortSignal, announce: (lines: readonly string[]) => void): Promise<void>;
  doctor(): Promise<readonly Finding[]>;
  /** @returns null when nothing is missing */
  acceptLoss(): Promise<AcceptedLoss | null>;
  /** @returns null when nobody's key is missing */
  acceptKeyLoss(): Promise<AcceptedKeyLoss | null>;
  restoreKeys(backup: string, force: boolean): Promise<RestoredKeys>;
  /** @param newKey base64; null makes one, where the master key lies in a file */
  rotateKeys(newKey: string | null): Promise<RotatedKeys>;
  /** @param backup a file that `ledger backup` made */
  restoreLedger(
    backup: string,
    options: { readonly force: boolean; readonly signal: AbortSignal; readonly onProgress: (progress: JsonValue) => void },
  ): Promise<RestoredLedger>;
}

/**
 * Opens the product on a data directory.
 * @param options `dataDir`: from `--data`, or null for the configured one; `command`: the command line for messages to others;
 *   `notice`: tells the person at the terminal something on stderr; `misconfigured`: open also when settings are wrong
 * @throws Fault usage `invalid_setting`
 */
export type OpenToolledger = (options: {
  readonly dataDir: string | null;
  readonly command: string;
  readonly notice: (line: string) => void;
  readonly misconfigured: boolean;
}) => Toolledger;
