/**
 * Remembers the revision of the last event of the streams used most recently: at least the newest `size`, at most
 * twice as many.
 */
export class StreamHeads {
  readonly #size: number;
  // Two generations instead of an ordered list: forgetting costs nothing per use.
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  constructor(size: number) {
    this.#size = size;
  }

  get(stream: string): number | undefined {
    return this.#young.get(stream) ?? this.#old.get(stream);
  }

  set(stream: string, revision: number): void {
    this.#young.set(stream, revision);
    if (this.#young.size < this.#size) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
