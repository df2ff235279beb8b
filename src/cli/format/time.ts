/**
 * A time as the reader's clock shows it, in a form that `--since` and `--until` take: `2026-03-01T18:30:05.120+09:00`.
 * @param at ISO 8601 with offset
 * @param offsetMinutes east of UTC; by default that of the process's time zone at that time
 */
export function localTime(at: string, offsetMinutes = -new Date(at).getTimezoneOffset()): string {
  const offset = Math.round(offsetMinutes);
  const away = Math.abs(offset);
  const shown = new Date(Date.parse(at) + offset * 60_000).toISOString().slice(0, -1);
  return `${shown}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(away / 60))}:${twoDigits(away % 60)}`;
}

/** `localTime` to the second, for tables. */
export function shortTime(at: string, offsetMinutes?: number): string {
  return localTime(at, offsetMinutes).replace(/\.\d{3}/, '');
}

/** `localTime` as people read it in a narrow table: `2026-03-01 18:30:05`, without the offset. */
export function clockTime(at: string, offsetMinutes?: number): string {
  return localTime(at, offsetMinutes).slice(0, 19).replace('T', ' ');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
