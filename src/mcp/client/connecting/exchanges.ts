import type { Exchange, ExchangeEnd } from './exchange.js';

/** The requests under way on one connection. */
export class Exchanges {
  /** By the id the SDK gave the request; some servers send it back as a string. */
  readonly #byId = new Map<number, Exchange>();
  /** Handed to the SDK, which has not given it an id yet. */
  #starting: Exchange | null = null;
  #idle: (() => void) | null = null;

  start(exchange: Exchange): void {
    this.#starting = exchange;
  }

  /** The SDK sends a request: the one that was started last. */
  sending(id: unknown): void {
    if (this.#starting !== null) this.#byId.set(Number(id), this.#starting);
    this.#starting = null;
  }

  byRequestId(id: unknown): Exchange | undefined {
    return this.#byId.get(Number(id));
  }

  byEventId(eventId: string): Exchange | undefined {
    return this.#underWay().find((exchange) => exchange.lastEventId === eventId);
  }

  /** Something came that is no message; nobody can say which request it was for. */
  garbled(): void {
    for (const exchange of this.#underWay()) exchange.garbled = true;
  }

  /** Gives up all that have no answer yet. */
  failAll(end: ExchangeEnd, problem: unknown = null): void {
    for (const exchange of this.#underWay()) if (!exchange.answered) exchange.fail(end, problem);
  }

  settle(exchange: Exchange): void {
    exchange.settled = true;
    if (this.#starting === exchange) this.#starting = null;
    for (const [id, known] of this.#byId) if (known === exchange) this.#byId.delete(id);
    if (this.#byId.size === 0) this.#idle?.();
  }

  /** Resolves when no request is under way. */
  async idle(): Promise<void> {
    if (this.#byId.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  #underWay(): readonly Exchange[] {
    return [...this.#byId.values(), ...(this.#starting === null ? [] : [this.#starting])];
  }
}
