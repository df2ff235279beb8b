import type { Position } from './envelope.js';

type Listener = (position: Position) => void;

/** Who wants to know of commits; the same for every engine. */
export class AppendListeners {
  readonly #listeners = new Set<{ readonly tell: Listener }>();

  /** @returns a function that ends the listening */
  add(listener: Listener): () => void {
    const entry = { tell: listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** A listener that throws is the listener's fault and keeps nobody else from hearing. */
  tell(position: Position): void {
    for (const { tell } of [...this.#listeners]) {
      try {
        tell(position);
      } catch {
        // Promised by EventStore.onAppended: the store goes on.
      }
    }
  }
}
