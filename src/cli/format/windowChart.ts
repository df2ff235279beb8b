import { durationText } from '../../platform/time/duration.js';
import { shortTime } from './time.js';

/** A stretch of time in one state; ISO 8601, `to` null while it goes on. */
export interface ChartedWindow {
  readonly state: string;
  readonly from: string;
  readonly to: string | null;
}

/** What a chart is drawn into. */
export interface ChartFrame {
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** Terminal columns to fit into. */
  readonly width: number;
}

const order = ['enabled', 'quarantined', 'rate_limited', 'parked', 'disabled', 'auto_disabled', 'credential_deleted'];
const fewestCells = 10;
const whole = '█';
const part = '▒';

/**
 * Draws windows as a chart: a line for each state there is, time from left to right, then begin, end and legend. It is as
 * wide as the frame, but never so narrow that nothing can be seen.
 */
export function windowChart(windows: readonly ChartedWindow[], { from, to, width }: ChartFrame): readonly string[] {
  const states = [...new Set(windows.map(({ state }) => state))].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const label = Math.max(0, ...states.map(({ length }) => length)) + 1;
  const cells = Math.max(fewestCells, width - label);
  const start = Date.parse(from);
  const span = Math.max(1, Date.parse(to) - start);
  const spans = windows.map((window) => ({ state: window.state, from: (Date.parse(window.from) - start) / span, to: window.to === null ? 1 : (Date.parse(window.to) - start) / span }));
  return [
    ...states.map((state) => state.padEnd(label) + line(spans.filter((each) => each.state === state), cells)),
    ...axis(shortTime(from), shortTime(to), label, cells),
    `${whole} all of the time, ${part} a part of it; one column is ${durationText(span / cells)}`,
  ];
}

/** @param spans as fractions of the whole time */
function line(spans: readonly { readonly from: number; readonly to: number }[], cells: number): string {
  return Array.from({ length: cells }, (_, at) => {
    const begin = at / cells;
    const end = (at + 1) / cells;
    if (spans.some(({ from, to }) => from <= begin && to >= end)) return whole;
    // What began only now has no length yet.
    return spans.some(({ from, to }) => from < end && to > begin) || (at === cells - 1 && spans.some(({ from }) => from === 1)) ? part : ' ';
  })
    .join('')
    .trimEnd();
}

function axis(from: string, to: string, label: number, cells: number): readonly string[] {
  const room = cells - from.length - to.length;
  return room < 1 ? [`from ${from}`, `to   ${to}`] : [' '.repeat(label) + from + ' '.repeat(room) + to];
}
