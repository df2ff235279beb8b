/**
 * A small generator of the same numbers on every machine (mulberry32).
 * @returns a function that gives a uniform number in [0, 1)
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number in [0, below). */
export function below(random, limit) {
  return Math.floor(random() * limit);
}

/** A whole number in [0, below) of which small ones are far more frequent, as words and users are. */
export function skewed(random, limit) {
  return Math.min(limit - 1, Math.floor(limit ** random()) - 1);
}

/** `size` bytes. */
export function randomBytes(random, size) {
  return Buffer.from(Array.from({ length: size }, () => below(random, 256)));
}

/** A source of UUIDv7s for a given time: rising, and the same for the same seed. */
export function seededIds(random) {
  let count = 0;
  return (milliseconds) => {
    count = (count + 1) % 0x1000_0000;
    const time = milliseconds.toString(16).padStart(12, '0');
    const counter = count.toString(16).padStart(7, '0');
    const rest = below(random, 0x1_0000_0000).toString(16).padStart(8, '0');
    const more = below(random, 0x1000_0000).toString(16).padStart(7, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.slice(0, 3)}-a${counter.slice(3, 6)}-${counter[6]}${rest.slice(0, 4)}${more}`;
  };
}
