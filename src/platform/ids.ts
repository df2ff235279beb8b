import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Makes identifiers. Passed in, so that tests get the ids they expect. */
export type NewId = () => string;

const bytesAnId = 16;

/** Makes a source of UUIDv7s; randomness is fetched for many ids at once, because each fetch is a system call. */
function makeIds(): NewId {
  const random = Buffer.alloc(256 * bytesAnId);
  let used = random.length;
  let msecs = 0;
  let seq = 0;
  return () => {
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    const own = random.subarray(used, used + bytesAnId);
    used += bytesAnId;
    const now = Date.now();
    if (now > msecs) {
      msecs = now;
      // 31 of 32 bits, so that there is room to count up within a millisecond.
      seq = own.readUInt32BE(6) >>> 1;
    } else {
      seq = (seq + 1) | 0;
      if (seq === 0) msecs += 1;
    }
    return v7({ random: own, msecs, seq });
  };
}

/** A UUIDv7 (RFC 9562 §5.7) in its 36-character form: later ids sort after earlier ones of the same process. */
export const newId: NewId = makeIds();
