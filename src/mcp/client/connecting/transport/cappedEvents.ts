import { tooLarge } from '../../../../platform/net/cappedBody.js';
import type { NetFault } from '../../../../platform/net/netFault.js';

const LF = 10;
const CR = 13;

export interface EventsWatch {
  /** Told how many bytes passed. */
  readonly seen: (bytes: number) => void;
  /** Told why the stream is cut. */
  readonly tooLarge: (fault: NetFault) => void;
}

/**
 * The same bytes of an event stream, which fails when one event has more than `limit` of them; an event ends with its
 * empty line, which counts.
 */
export function cappedEvents(body: ReadableStream<Uint8Array>, limit: number, watch: EventsWatch): ReadableStream<Uint8Array> {
  const event = new EventSize();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        watch.seen(chunk.byteLength);
        if (event.largestWith(chunk) <= limit) {
          out.enqueue(chunk);
          return;
        }
        const fault = tooLarge(limit);
        watch.tooLarge(fault);
        throw fault;
      },
    }),
  );
}

/** Counts the bytes of each event. A line ends with CR, LF or both. */
class EventSize {
  #size = 0;
  #lineIsEmpty = true;
  #afterCarriageReturn = false;

  /** @returns the most bytes that an event in this chunk has so far, what came of it before included */
  largestWith(chunk: Uint8Array): number {
    let largest = 0;
    for (const byte of chunk) {
      const completesCrLf = byte === LF && this.#afterCarriageReturn;
      this.#afterCarriageReturn = byte === CR;
      // The line feed after the empty line that ended an event is no part of the next one.
      if (completesCrLf && this.#size === 0) continue;
      this.#size += 1;
      if (this.#size > largest) largest = this.#size;
      if (completesCrLf) continue;
      if (byte !== CR && byte !== LF) {
        this.#lineIsEmpty = false;
      } else if (this.#lineIsEmpty) {
        this.#size = 0;
      } else {
        this.#lineIsEmpty = true;
      }
    }
    return largest;
  }
}
