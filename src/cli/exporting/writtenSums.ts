import { createHash } from 'node:crypto';

/** What was written comes to: bytes, and their SHA-256 as hex. */
export interface Sums {
  readonly bytes: number;
  readonly sha256: string;
}

/** Counts and hashes what is written, and can say at any time what it comes to so far. */
export class WrittenSums {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
  }

  now(): Sums {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }
}
