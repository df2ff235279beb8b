import { ledgerSealStream, type Seal } from '../../../commands/ledgerSeal.js';
import { catalogue } from '../../../events/catalogue/catalogue.js';
import type { LedgerSealEvent } from '../../../events/catalogue/ledgerSeal.js';
import type { RecordedEvent } from '../../../events/envelope.js';
import type { EventReader } from '../../../events/eventStore.js';
import { parseVkey, type NoteVerifier } from '../../../platform/tlog/noteKey.js';

const pageSize = 500;

/** A head that the ledger says was signed. */
export interface RecordedHead {
  readonly epoch: number;
  readonly size: number;
  /** Hex. */
  readonly root: string;
  readonly recorded: true;
}

/** A seal that was given to a checkpoint log. */
export interface LoggedSeal {
  readonly epoch: number;
  readonly size: number;
  /** What a checkpoint of it begins with; see `headText`. */
  readonly head: string;
  /** Whether the log must hold it. What was sealed last for a log may not have come to it: the process died, or the log could not be written. */
  readonly isCertain: boolean;
}

/** The part of a checkpoint that says which log, size and root it is about. Who signed it is not in it. */
export function headText(checkpoint: string): string {
  return checkpoint.split('\n', 3).join('\n');
}

/** The seals that a ledger holds, read as far as it has come; there may be half a million. */
export class RecordedSeals {
  /** Oldest first, of all epochs. */
  readonly heads: RecordedHead[] = [];
  readonly #keys = new Map<string, NoteVerifier>();
  readonly #recorded = new Set<string>();
  readonly #logged: LoggedSeal[] = [];
  #from = 0;
  newest: Seal | null = null;

  /** @param log id of the checkpoint log that is asked about later, or null */
  constructor(
    private readonly reader: Pick<EventReader, 'readStream'>,
    private readonly log: string | null,
  ) {}

  /** Every key that signed, or was to sign. */
  get keys(): readonly NoteVerifier[] {
    return [...this.#keys.values()];
  }

  /** What was given to the log, as far as was read; oldest first. */
  get logged(): readonly LoggedSeal[] {
    return this.#logged;
  }

  /** @throws EventStoreError; Fault of the catalogue */
  async readOn(): Promise<void> {
    let page: readonly RecordedEvent[];
    do {
      page = await this.reader.readStream(ledgerSealStream, this.#from, pageSize);
      for (const event of page) this.#take(catalogue.decode(event) as LedgerSealEvent);
      this.#from += page.length;
    } while (page.length === pageSize);
  }

  /** Whether a checkpoint tells of a head that the ledger knows. Who signed it does not matter then. */
  hasRecorded(checkpoint: string): boolean {
    return this.#recorded.has(headText(checkpoint));
  }

  /** The largest head of an epoch with at most so many events, or null. */
  newestOf(epoch: number, atMost: number): RecordedHead | null {
    return this.heads.findLast((head) => head.epoch === epoch && head.size <= atMost) ?? null;
  }

  #take({ type, data }: LedgerSealEvent): void {
    for (const vkey of type === 'LedgerSealed' ? [data.key] : [data.from, data.to]) if (!this.#keys.has(vkey)) this.#keys.set(vkey, parseVkey(vkey));
    if (type !== 'LedgerSealed') return;
    const { epoch, size, root } = data;
    this.heads.push({ epoch, size, root, recorded: true });
    const head = `${this.#keys.get(data.key)?.name ?? ''}\n${size}\n${Buffer.from(root, 'hex').toString('base64')}`;
    this.#recorded.add(head);
    this.#takeLogged(data, head);
    this.newest = data;
  }

  #takeLogged({ epoch, size, log }: Seal, head: string): void {
    if (this.log === null || log !== this.log) return;
    const before = this.#logged.at(-1);
    // Whoever seals again for the same log has brought it up to date first.
    if (before !== undefined && before.epoch === epoch && this.newest?.log === log) this.#logged.splice(-1, 1, { ...before, isCertain: true });
    this.#logged.push({ epoch, size, head, isCertain: false });
  }
}
