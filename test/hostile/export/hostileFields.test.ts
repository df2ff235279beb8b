import { describe, expect, it } from '@jest/globals';
import { exportFormats } from '../../../src/events/catalogue/ledgerOperations.js';
import { formats } from '../../../src/operations/export/exportEvents.js';
import { steeringIn } from '../../support/cli/printedBytes.js';
import { csvRows } from '../../support/export/csvRows.js';
import { exportedRecords, exportedText } from '../../support/export/exported.js';
import { admit, fail, refuse, remoteRoute } from '../../support/projections/callEvents.js';
import { TestLedger } from '../../support/projections/testLedger.js';

/** What somebody would write into a field to have it do something when a person opens the export. */
const hostile: readonly (readonly [what: string, text: string])[] = [
  ['a formula', '=HYPERLINK("http://example.org/?"&A1)'],
  ['a formula by plus', '+1+cmd|\' /C calc\'!A0'],
  ['a formula by minus', '-2+3'],
  ['a formula by at', '@SUM(A1:A9)'],
  ['a formula behind spaces', '  =1+1'],
  ['a formula behind a no-break space', '\u00a0=1+1'],
  ['a formula behind a tab', '\t=1+1'],
  ['a formula behind a carriage return', '\r=1+1'],
  ['a formula behind a line feed', '\n=1+1'],
  ['a formula in full width', '\uff1d1+1'],
  ['a formula behind a mark nobody sees', '\u200b=1+1'],
  ['a formula behind a byte order mark', '\ufeff=1+1'],
  ['the end of a quoted cell', 'x",=1+1,"y'],
  ['the end of a row', 'x"\r\n=1+1,"y'],
  ['a colour', '\u001b[31mred'],
  ['the title of the terminal', '\u001b]0;owned\u0007'],
  ['an escape of one byte', '\u009b31m'],
  ['a text that turns', 'user\u202etxt.exe'],
  ['an isolate', '\u2066x\u2069'],
  ['a character of no width', 'pay\u200bpal'],
  ['tags that nobody sees', 'x\u{e0061}\u{e0062}'],
  ['a line separator', 'x\u2028y\u2029z'],
  ['half a character', 'x\ud800y'],
  ['a null', 'x\u0000y'],
  ['JSON', '"},{"position":"1'],
];

/** An event with the text in every field that somebody outside can fill. */
function filledWith(text: string): TestLedger {
  const ledger = new TestLedger();
  // A stream, an actor or a turn can hold no control characters, which an append refuses, but everything else.
  // eslint-disable-next-line no-control-regex -- control characters are what is taken out
  const name = text.toWellFormed().replace(/[\u0000-\u001f]/g, '') || 'x';
  const personal = { arguments: { [text]: text }, toolName: text, detail: text };
  const settings = { actor: name, onBehalfOf: name, workspace: name, correlation: name, stream: `toolCall-${name}`, personal };
  refuse(ledger, 'c1', { tool: text, route: remoteRoute('00000000-0000-7000-8000-000000000001', text), parameters: { [text]: text }, redaction: [{ path: text, rule: text }], reasons: [text], channel: text }, settings);
  admit(ledger, 'c2', { tool: text }, { ...settings, stream: 'toolCall-c2' });
  fail(ledger, 'c2', text, { ...settings, stream: 'toolCall-c2', personal: { error: text, preview: text } });
  return ledger;
}

const withoutLineEnds = (text: string): string => text.replaceAll('\r\n', '\n');

describe.each(hostile)('%s', (_what, text) => {
  it.each(exportFormats)('in every field of %s steers and hides nothing', async (format) => {
    const written = await exportedText(filledWith(text), { format, open: true });
    expect(steeringIn(withoutLineEnds(written))).toBeNull();
  });

  it('begins no cell of a spreadsheet as a formula does, and ends none', async () => {
    const rows = csvRows(formats.csv.head + (await exportedText(filledWith(text), { format: 'csv', open: true })));
    expect(rows).toHaveLength(3);
    for (const cell of rows.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
  });

  it.each(['jsonl', 'cloudevents', 'ocsf'] as const)('is the same text again for whoever reads %s', async (format) => {
    const [record] = await exportedRecords(filledWith(text), { format, open: true });
    const inside = (record?.['unmapped'] ?? record) as { data: { clear?: { parameters: object }; parameters: object } };
    expect((inside.data.clear ?? inside.data).parameters).toEqual({ [text]: text });
  });
});
