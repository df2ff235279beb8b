import { cutToWidth, displayWidth } from '../../platform/displayWidth.js';
import { terminalSafe } from '../../platform/terminal.js';

/** One column of a table. */
export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item) => string;
  /** Never cut, because a cut value is of no use: ids. */
  readonly whole?: boolean;
  /** Has the space that the other columns leave, and is cut before they are. */
  readonly grows?: boolean;
}

const gap = '  ';

/**
 * Rows under their titles, aligned by display width. What is in the cells is made safe for a terminal, one line each.
 * @param width terminal columns to fit into by cutting cells, ending in `…`; null cuts nothing
 * @returns the lines, titles first, without spaces at their ends
 */
export function table<Item>(items: readonly Item[], columns: readonly Column<Item>[], width: number | null): readonly string[] {
  const rows = [columns.map(({ title }) => title), ...items.map((item) => columns.map(({ cell }) => terminalSafe(cell(item))))];
  const natural = columns.map((_, at) => Math.max(1, ...rows.map((row) => displayWidth(row[at] ?? ''))));
  const widths = width === null ? natural : fitted(columns, natural, width - gap.length * (columns.length - 1));
  return rows.map((row) => row.map((cell, at) => padded(cell, widths[at] ?? 1)).join(gap).trimEnd());
}

/** Cuts the growing columns first, then the others, but those that stay whole never. */
function fitted(columns: readonly Pick<Column<never>, 'whole' | 'grows'>[], natural: readonly number[], room: number): readonly number[] {
  const groups = [columns.map(({ grows }) => grows === true), columns.map(({ grows, whole }) => grows !== true && whole !== true)];
  return groups.reduce<readonly number[]>((widths, cuttable) => {
    const fixed = widths.reduce((sum, width, at) => sum + (cuttable[at] === true ? 0 : width), 0);
    const cap = fairCap(widths.filter((_, at) => cuttable[at] === true), room - fixed);
    return widths.map((width, at) => (cuttable[at] === true ? Math.min(width, cap) : width));
  }, natural);
}

const leastWidth = 8;

/** The largest width that all may have so that they fit together; not so small that nothing can be read. */
function fairCap(widths: readonly number[], room: number): number {
  let left = room;
  const sorted = widths.toSorted((a, b) => a - b);
  for (const [at, width] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at));
    if (width > share) return Math.max(share, leastWidth);
    left -= width;
  }
  return Infinity;
}

function padded(cell: string, width: number): string {
  const cut = cutToWidth(cell, width);
  return cut + ' '.repeat(Math.max(0, width - displayWidth(cut)));
}
