import { html, type Html } from './html.js';
import { layout } from './layout.js';

/** Why something did not work, or why there was nothing to do, in a sentence that is safe to show. */
export function faultPage(title: string, message: string, isCalm: boolean): Html {
  return layout(title, isCalm ? html`<p>${message}</p>` : html`<p class="stop">${message}</p>`);
}
