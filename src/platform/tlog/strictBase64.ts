/**
 * Bytes of standard base64 (RFC 4648 §4) that has one spelling only: padded, no other characters, no stray bits.
 * @param length how many bytes it must give, when that is fixed
 * @returns null when the text is anything else
 */
export function strictBase64(text: string, length?: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  if (length !== undefined && bytes.length !== length) return null;
  // Node skips what is not base64; only a text that comes back the same was the one spelling of these bytes.
  return text !== '' && bytes.toString('base64') === text ? bytes : null;
}

/**
 * A whole number as the C2SP formats write it: ASCII decimal without leading zeroes.
 * @returns null for anything else, and for numbers above 2^53 - 1
 */
export function strictDecimal(text: string): number | null {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
