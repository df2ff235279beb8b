/** How a request ended other than by an answer. */
export type ExchangeEnd = 'timeout' | 'cancelled' | 'connection_lost' | 'protocol_error';

/**
 * One request while it is under way: whether anything left this machine, how it ended, and what stops it.
 * `answer` ends the wait for an answer; `network` ends the HTTP request that carries it.
 */
export class Exchange {
  readonly answer = new AbortController();
  readonly network = new AbortController();
  /** Last event id of its stream: a server that gives one lets the stream be picked up again. */
  lastEventId: string | null = null;
  sent = false;
  /** An answer arrived; whatever happens to the HTTP request after that does not matter. */
  answered = false;
  /** Something arrived while it was under way that is no MCP message. */
  garbled = false;
  /** The body of its HTTP response is not over yet. */
  bodyOpen = false;
  settled = false;
  end: ExchangeEnd | null = null;
  /** What the network or the server said, when that ended it. */
  problem: unknown = null;

  /** Gives the request up; the first reason counts. Does nothing once it is settled. */
  fail(end: ExchangeEnd, problem: unknown = null): void {
    if (this.settled || this.end !== null) return;
    this.end = end;
    this.problem = problem;
    // The SDK tells the server of a cancelled request; of one that never left there is nothing to tell.
    if (this.sent) this.answer.abort();
    this.network.abort();
  }
}
