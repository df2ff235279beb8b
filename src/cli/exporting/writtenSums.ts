import { createHash } from 'node:crypto';

/** Counts and hashes what is written, and can say at any time what it comes to so far. */
export class WrittenSums {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
  }

  now(): { readonly bytes: number; readonly sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }
}
