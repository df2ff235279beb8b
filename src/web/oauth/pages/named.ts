import { html, type Html } from './html.js';

/** A name from elsewhere inside a sentence of ours: letters that run from right to left stay inside it. */
export function named(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
