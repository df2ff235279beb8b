/**
 * Reads comma-separated values strictly as RFC 4180 writes them.
 * @returns every row as an object by the titles of the first one
 * @throws when a byte is not what the RFC allows there
 */
export function csvRows(text: string): readonly { readonly [title: string]: string }[] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const rows: string[][] = [[]];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (found === null) throw new Error(`not RFC 4180 at ${JSON.stringify(text.slice(at, at + 60))}`);
    const [, quoted, bare, end] = found;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    if (end !== ',') rows.push([]);
  }
  const [titles = [], ...records] = rows.slice(0, -1);
  return records.map((record) => {
    if (record.length !== titles.length) throw new Error(`a row has ${record.length} fields, the first one ${titles.length}`);
    return Object.fromEntries(titles.map((title, at) => [title, record[at] ?? '']));
  });
}
