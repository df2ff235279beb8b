const lookalikes = new Map([['−', '-'], ['×', '*'], ['\u3000', ' ']]);

/**
 * Folds full-width forms (as Japanese input methods write them), capitals and the typographic minus and times signs
 * to plain ASCII. Every code unit stays at its offset, so that errors can point into the original.
 */
export function plainForm(notation: string): string {
  return notation
    .replace(/[−×\u3000]/g, (sign) => lookalikes.get(sign) ?? sign)
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
