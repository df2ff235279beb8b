import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Looks through every file of a directory for traces of a person.
 * @param digits ids made of digits: also looked for as 8-byte integers
 * @param words names and texts, whatever their case
 * @returns each as `file: form of what`
 */
export function tracesIn(directory: string, { digits, words }: { readonly digits: readonly string[]; readonly words: readonly string[] }): readonly string[] {
  const forms = [...digits.flatMap(formsOfNumber), ...[...digits, ...words].flatMap(formsOfText)];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => {
      const bytes = readFileSync(file);
      // Folding ASCII case only: bytes stay bytes.
      const folded = Buffer.from(bytes.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase()), 'latin1');
      return forms.filter(({ exact, needle }) => (exact ? bytes : folded).includes(needle)).map(({ form }) => `${relative(directory, file)}: ${form}`);
    });
}

interface Form {
  readonly form: string;
  readonly needle: Buffer;
  /** Case matters. */
  readonly exact: boolean;
}

function formsOfNumber(digits: string): readonly Form[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(digits));
  return [
    { form: `big-endian ${digits}`, needle: bytes, exact: true },
    { form: `little-endian ${digits}`, needle: Buffer.from(bytes).reverse(), exact: true },
  ];
}

function formsOfText(text: string): readonly Form[] {
  const lower = text.toLowerCase();
  const utf16 = Buffer.from(lower, 'utf16le');
  return [
    { form: `text ${text}`, needle: Buffer.from(lower), exact: false },
    { form: `UTF-16LE ${text}`, needle: utf16, exact: false },
    { form: `UTF-16BE ${text}`, needle: Buffer.from(utf16).swap16(), exact: false },
    ...[text, lower].flatMap((written) => [
      ...[0, 1, 2].map((before) => ({ form: `base64 ${text}`, needle: base64At(written, before), exact: true })),
      { form: `hex ${text}`, needle: Buffer.from(Buffer.from(written).toString('hex')), exact: false },
    ]),
  ];
}

/** The characters of base64 that a text alone decides when so many bytes stand before it. */
function base64At(text: string, before: number): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  return Buffer.from(bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)));
}
