import { describe, expect, it } from '@jest/globals';
import { jsonText } from '../../../src/cli/format/jsonText.js';
import { table, type Column } from '../../../src/cli/format/table.js';
import { localTime, shortTime } from '../../../src/cli/format/time.js';
import { displayWidth } from '../../../src/platform/text/displayWidth.js';
import { parseWhen } from '../../../src/platform/time/when.js';

describe('a table', () => {
  type Row = readonly [id: string, name: string, why: string];
  const columns: readonly Column<Row>[] = [
    { title: 'id', cell: ([id]) => id, whole: true },
    { title: 'name', cell: ([, name]) => name },
    { title: 'why', cell: ([, , why]) => why, grows: true },
  ];
  const id = '0123456789ab';

  it('aligns columns by the width that characters take', () => {
    expect(table([['1', '日本語', 'ok'], ['22', 'abc', 'no']], columns, null)).toEqual(['id  name    why', '1   日本語  ok', '22  abc     no']);
  });

  it('cuts nothing when it need not fit', () => {
    expect(table([[id, 'n'.repeat(500), 'y'.repeat(500)]], columns, null)[1]).toBe(`${id}  ${'n'.repeat(500)}  ${'y'.repeat(500)}`);
  });

  it('cuts the growing column first', () => {
    expect(table([[id, 'n'.repeat(20), 'y'.repeat(50)]], columns, 50)[1]).toBe(`${id}  ${'n'.repeat(20)}  ${'y'.repeat(13)}…`);
  });

  it('cuts other columns when that is not enough, and those that stay whole never', () => {
    expect(table([[id, 'n'.repeat(90), 'y'.repeat(90)]], columns, 40)[1]).toBe(`${id}  ${'n'.repeat(15)}…  ${'y'.repeat(7)}…`);
  });

  it('goes on with a row on further lines, indented, where cutting is not enough', () => {
    expect(table([[id, 'n'.repeat(90), 'y'.repeat(90)], [id, 'abc', '']], columns, 25)).toEqual([
      'id            name',
      '    why',
      `${id}  ${'n'.repeat(10)}…`,
      `    ${'y'.repeat(20)}…`,
      `${id}  abc`,
    ]);
  });

  it('cuts no cell that stays whole, however narrow the terminal is', () => {
    expect(table([[id, 'n', 'y']], columns, 5)).toEqual(['id', '    name', '    why', id, '    n', '    y']);
  });

  it('stays within the width also when characters are wide', () => {
    for (const line of table([[id, '名前'.repeat(20), '理由'.repeat(50)]], columns, 60)) expect(displayWidth(line)).toBeLessThanOrEqual(60);
  });

  it('lets no cell break its line or steer the terminal', () => {
    expect(table([['1', 'a\nb', '\u001b[31mred']], columns, null)[1]).toBe('1   a\\u{a}b  \\u{1b}[31mred');
  });

  it('has only titles without rows', () => {
    expect(table([], columns, 80)).toEqual(['id  name  why']);
  });
});

describe('times for people', () => {
  it('are local, with their offset', () => {
    expect(localTime('2026-03-01T09:30:05.120Z', 540)).toBe('2026-03-01T18:30:05.120+09:00');
    expect(localTime('2026-03-01T01:30:05.120Z', -210)).toBe('2026-02-28T22:00:05.120-03:30');
    expect(shortTime('2026-03-01T09:30:05.120Z', 0)).toBe('2026-03-01T09:30:05+00:00');
  });

  it('can be given back to --since', () => {
    const at = '2026-07-01T09:30:05.120Z';
    expect(parseWhen(localTime(at), 0)).toBe(Date.parse(at));
  });
});

describe('JSON for a terminal', () => {
  it('says the same with nothing a terminal would obey', () => {
    const value = { text: '\u001b[2J\u009b\u202e世界' };
    expect(jsonText(value)).toBe('{"text":"\\u001b[2J\\u009b\\u202e世界"}');
    expect(JSON.parse(jsonText(value, 2))).toEqual(value);
  });
});
