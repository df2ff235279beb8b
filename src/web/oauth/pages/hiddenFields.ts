import { html, type Html } from './html.js';

/** Fields that a form sends on unseen; those that are null are left out. */
export function hiddenFields(fields: { readonly [name: string]: string | null }): readonly Html[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">\n`]));
}
