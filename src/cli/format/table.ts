import { cutToWidth, displayWidth } from '../../platform/text/displayWidth.js';
import { terminalSafe } from '../../platform/text/terminal.js';

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

/** Before what a row goes on with on a further line. */
const indent = '    ';

/** One column with its place in the row and the width its cells would take. */
interface Placed {
  readonly at: number;
  readonly natural: number;
  readonly whole?: boolean | undefined;
  readonly grows?: boolean | undefined;
}

/**
 * Rows under their titles, aligned by display width. What is in the cells is made safe for a terminal.
 * @param width terminal columns to fit into: by cutting cells, ending in `…`, and where that is not enough by going on
 *   with a row on further lines, indented; null does neither
 * @returns the lines, titles first, without spaces at their ends; a further line that would be blank is left out
 */
export function table<Item>(items: readonly Item[], columns: readonly Column<Item>[], width: number | null): readonly string[] {
  const rows = [columns.map(({ title }) => title), ...items.map((item) => columns.map(({ cell }) => terminalSafe(cell(item))))];
  const placed = columns.map(({ whole, grows }, at) => ({ at, whole, grows, natural: Math.max(1, ...rows.map((row) => displayWidth(row[at] ?? ''))) }));
  const lines = (width === null ? [placed] : divided(placed, width)).map((line, index) => {
    const room = (width ?? Infinity) - (index === 0 ? 0 : indent.length) - gap.length * (line.length - 1);
    return { line, widths: fitted(line, line.map(({ natural }) => natural), room) };
  });
  return rows.flatMap((row) =>
    lines.flatMap(({ line, widths }, index) => {
      const text = line.map(({ at }, place) => padded(row[at] ?? '', widths[place] ?? 1)).join(gap).trimEnd();
      return index === 0 ? [text] : text === '' ? [] : [indent + text];
    }),
  );
}

/** Which columns share a line: as many as fit when they are cut as far as they may be. */
function divided(columns: readonly Placed[], width: number): readonly (readonly Placed[])[] {
  const lines: Placed[][] = [[]];
  let used = 0;
  for (const column of columns) {
    const least = column.whole === true ? column.natural : Math.min(column.natural, leastWidth);
    if (used > 0 && used + gap.length + least > width) {
      lines.push([]);
      used = indent.length;
    }
    used += (lines.at(-1)?.length === 0 ? 0 : gap.length) + least;
    lines.at(-1)?.push(column);
  }
  return lines;
}

/** Cuts the growing columns first, then the others, but those that stay whole never. */
function fitted(columns: readonly Pick<Placed, 'whole' | 'grows'>[], natural: readonly number[], room: number): readonly number[] {
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
