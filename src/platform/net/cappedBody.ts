import { NetFault, netFaultIn } from './netFault.js';

/** How the body of a response ended: `null` when whole, else why not. */
export type BodyEnd = NetFault | null;

export interface BodyWatch {
  readonly firstByte: () => void;
  /** Called once, when the body is whole, has failed, is over the limit, or nobody wants it any more. */
  readonly ended: (end: BodyEnd) => void;
}

/** The same bytes, up to a limit. Decoded bytes are counted, over the whole body: a body of exactly `limit` bytes passes. */
export function cappedBody(body: ReadableStream<Uint8Array>, limit: number, { firstByte, ended }: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let total = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const next = await readOne(reader);
        if (total === 0) firstByte();
        if (next === null) {
          ended(null);
          out.close();
        } else if (next instanceof NetFault) {
          fail(out, next);
        } else if ((total += next.byteLength) > limit) {
          fail(out, tooLarge(limit));
        } else {
          out.enqueue(next);
        }
      },
      async cancel(reason) {
        ended(new NetFault('aborted', 'The response was not wanted any more.'));
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );

  function fail(out: ReadableStreamDefaultController<Uint8Array>, fault: NetFault): void {
    ended(fault);
    out.error(fault);
    reader.cancel(fault).catch(() => undefined);
  }
}

/** The fault for a body over the limit. */
export function tooLarge(limit: number): NetFault {
  return new NetFault('response_too_large', `The response is larger than the ${limit} bytes allowed.`);
}

/** Reads at most `limit` bytes of a body as text and lets go of the rest; a body that fails gives what came before. */
export async function readStart(body: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let total = 0;
  while (total < limit) {
    const next = await readOne(reader);
    if (next === null || next instanceof NetFault) break;
    parts.push(next.subarray(0, limit - total));
    total += next.byteLength;
  }
  reader.cancel().catch(() => undefined);
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** @returns the next bytes, null at the end */
async function readOne(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | NetFault | null> {
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch (error) {
    return netFaultIn(error) ?? new NetFault('connection_lost', 'The connection broke before the response was whole.', { cause: error });
  }
}
