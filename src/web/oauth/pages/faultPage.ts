import { html, type Html } from './html.js';
import { layout } from './layout.js';

/** Why something did not work, in a sentence that is safe to show. */
export function faultPage(title: string, message: string): Html {
  return layout(title, html`<p class="stop">${message}</p>`);
}
