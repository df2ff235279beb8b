/** How a number is judged: the least or the most it may be, or null when it is only reported. */

/**
 * One line of the table.
 * @param bar number of the bar it belongs to
 * @param options `least` or `most`: the bar; neither: only reported. `unit`: after the value. `details`: for the JSON
 */
export function row(bar, measure, value, { least = null, most = null, unit = '', details = {} } = {}) {
  const judged = least !== null || most !== null;
  const ok = (least === null || value >= least) && (most === null || value <= most);
  const limit = least !== null ? `≥ ${least}${unit}` : most !== null ? `≤ ${most}${unit}` : '';
  return { bar, measure, value, unit, limit, verdict: judged ? (ok ? 'ok' : 'miss') : '–', details };
}

/** A line for what could not be measured, and why. */
export function missing(bar, measure, why) {
  return { bar, measure, value: null, unit: '', limit: '', verdict: why, details: {} };
}

/** @param q from 0 to 1; the smallest value that at least that share of the values do not exceed */
export function percentile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * q) - 1)];
}

export function median(values) {
  return percentile(values, 0.5);
}

/** @returns how long `work` took, in milliseconds */
export async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Runs every contender once a round, in turning order, so that whatever else the machine does meets all of them.
 * The first round warms up and is not counted.
 * @param contenders name → function of the round that gives one number
 * @returns name → the numbers of the counted rounds
 */
export async function interleave(contenders, rounds) {
  const names = Object.keys(contenders);
  const values = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) {
      const value = await contenders[name](round);
      if (round > 0) values[name].push(value);
    }
  }
  return values;
}

/** The median of the ratios of each round: what slows a whole round down does not count. */
export function medianRatio(above, below) {
  return median(above.map((value, index) => value / below[index]));
}

/** Two significant places more than a person compares, so that results can be read and diffed. */
export function rounded(value) {
  return Number(value.toPrecision(3));
}
