import type { Database } from 'better-sqlite3';
import type { Projection } from '../projection.js';
import { openForReading } from '../readModel/readModelFile.js';

/** Read-only connections to the views' files, opened when first needed. */
export class ReadFiles {
  readonly #open = new Map<string, Database>();

  constructor(
    private readonly directory: string,
    private readonly projections: readonly Projection[],
  ) {}

  /** @returns null when there is no such view, because it is switched off */
  view(name: string): Database | null {
    const projection = this.projections.find((candidate) => candidate.name === name);
    if (projection === undefined) return null;
    let db = this.#open.get(name);
    if (db === undefined) this.#open.set(name, (db = openForReading(this.directory, projection)));
    return db;
  }

  /** Lets go of the files; they are opened again when needed. */
  close(): void {
    for (const db of this.#open.values()) db.close();
    this.#open.clear();
  }
}
