import { terminalSafe } from '../../../platform/text/terminal.js';

/** What may stand in a template: text, pieces of HTML, lists of both; null stands for nothing. */
type HtmlValue = string | Html | null | readonly HtmlValue[];

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

let asHtml: (text: string) => Html;

/** A piece of HTML. Only the template makes one, so no text becomes HTML by another way. */
export class Html {
  static {
    asHtml = (text) => new Html(text);
  }
  private constructor(readonly text: string) {}
}

/**
 * Template for HTML, `html\`<p>${text}</p>\``. Every text is escaped, for content and for quoted attributes, and what
 * would reorder or hide in it is shown as its code point.
 */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return asHtml(literals.map((literal, at) => literal + shown(values[at] ?? null)).join(''));
}

function shown(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return terminalSafe(value).replace(/[&<>"']/g, (character) => entities[character] ?? '');
  return value.map(shown).join('');
}
