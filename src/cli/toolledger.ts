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

/** What a ledger that was replaced had on record and the backup did not. */
export interface LostByRestore {
  /** How many events more there were. */
  readonly events: number;
  /** Whose legal holds are not in force any more. */
  readonly holds: readonly string[];
  /** How many events have their payloads again that were dropped. */
  readonly dropped: number;
}

/** A checkpoint that is known outside a backup. */
interface OutsideCheckpoint {
  readonly epoch: number;
  /** How many events it tells of. */
  readonly size: number;
}

/** What `ledger restore` put in place. */
export interface RestoredLedger {
  /** The furthest checkpoint in `seals/` and the checkpoint log; null: none. `isVerified`: signed by a key that is known here. */
  readonly newest: (OutsideCheckpoint & { readonly isVerified: boolean }) | null;
  /** How many events it tells of that the backup does not have. */
  readonly lacking: number;
  /** The furthest checkpoint that only tells of events of the backup: its tree is the one that was signed. Null: there is none. */
  readonly agreesWith: OutsideCheckpoint | null;
  /** What happened to the ledger that was there: there was none, it could not be read, or it was replaced and compared. */
  readonly replaced: 'none' | 'unreadable' | 'compared';
  /** Null: there was nothing to compare with. */
  readonly lost: LostByRestore | null;
  /** Who was erased since the backup was made, as far as is known: erased in the restored ledger too. */
  readonly erased: readonly string[];
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
