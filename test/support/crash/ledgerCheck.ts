import Database from 'better-sqlite3';

/** An event as the file holds it, read without any of the product's code. */
interface Row {
  readonly position: number;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly leaf: string;
}

const endings: { readonly [status: string]: string } = {
  succeeded: 'ToolCallSucceeded',
  failed: 'ToolCallFailed',
  cancelled: 'ToolCallCancelled',
  unknown: 'ToolCallOutcomeUnknown',
  refused: 'ToolCallRefused',
};

/** What is wrong with a ledger, in words; all empty when it kept every promise. */
export interface Findings {
  readonly lost: string[];
  readonly doubled: string[];
  readonly gaps: string[];
  readonly open: string[];
}

/**
 * Follows a ledger file from crash to crash. What it saw at one look must be there, the same, at the next.
 * `look` may only be used while nothing is written.
 */
export class LedgerCheck {
  readonly findings: Findings = { lost: [], doubled: [], gaps: [], open: [] };
  readonly #file: string;
  readonly #types = new Map<string, string[]>();
  readonly #ids = new Set<string>();
  #last: Row | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Position of the newest event seen. */
  get head(): number {
    return this.#last?.position ?? 0;
  }

  /** Every call whose ending is that its outcome is unknown. */
  get unknown(): readonly string[] {
    return [...this.#types].filter(([, types]) => types.at(-1) === endings['unknown']).map(([stream]) => stream);
  }

  /** Reads what is new, and looks again at the newest event of the last look. */
  look(when: string): void {
    const db = new Database(this.#file, { readonly: true });
    try {
      const select = db.prepare<[number], Row>(
        'SELECT position, hex(event_id) AS id, stream, revision, type, hex(leaf) AS leaf FROM events WHERE position >= ? ORDER BY position',
      );
      const [again, ...rest] = select.all(this.head);
      if (this.#last !== null && JSON.stringify(again) !== JSON.stringify(this.#last)) {
        this.findings.lost.push(`${when}: what was at position ${this.head} is gone or different`);
      }
      for (const row of this.#last === null && again !== undefined ? [again, ...rest] : rest) this.#take(row, when);
    } finally {
      db.close();
    }
    for (const [stream, types] of this.#types) {
      if (stream.startsWith('toolCall-') && types.at(-1) === 'ToolCallAdmitted') this.findings.open.push(`${when}: ${stream}`);
    }
  }

  /** Something that was answered as done must be there, exactly once. */
  expectCall(callId: string, status: string, when: string): void {
    const types = this.#types.get(`toolCall-${callId}`) ?? [];
    const ending = endings[status];
    const found = types.filter((type) => type === ending).length;
    if (ending === undefined || found === 0) this.findings.lost.push(`${when}: call ${callId} was answered ${status}, the ledger has ${types.join(', ')}`);
  }

  /** A stream that was answered as appended must have all its events. */
  expectStream(stream: string, events: number, when: string): void {
    const found = this.#types.get(stream)?.length ?? 0;
    if (found < events) this.findings.lost.push(`${when}: ${stream} has ${found} of ${events} events`);
    if (found > events) this.findings.doubled.push(`${when}: ${stream} has ${found} instead of ${events} events`);
  }

  #take(row: Row, when: string): void {
    if (row.position !== this.head + 1) this.findings.gaps.push(`${when}: position ${row.position} follows ${this.head}`);
    const types = this.#types.get(row.stream) ?? [];
    if (row.revision !== types.length) this.findings.gaps.push(`${when}: ${row.stream} goes on with revision ${row.revision} after ${types.length} events`);
    if (this.#ids.has(row.id)) this.findings.doubled.push(`${when}: event ${row.id}`);
    if (row.stream.startsWith('toolCall-') && isSecond(types, row.type)) {
      this.findings.doubled.push(`${when}: ${row.stream} gets ${row.type} after ${types.join(', ')}`);
    }
    this.#ids.add(row.id);
    this.#types.set(row.stream, [...types, row.type]);
    this.#last = row;
  }
}

/** A call is admitted or refused once, and ends once. */
function isSecond(before: readonly string[], type: string): boolean {
  if (before.length === 0) return type !== 'ToolCallAdmitted' && type !== 'ToolCallRefused';
  return before.length > 1 || before[0] !== 'ToolCallAdmitted' || type === 'ToolCallAdmitted';
}
