import { html, type Html } from './html.js';

/** What is so, one fact a line. */
export function facts(lines: readonly (readonly [term: string, fact: Html])[]): Html {
  return html`<dl>
${lines.map(([term, fact]) => html`<div class="fact"><dt>${term}</dt><dd>${fact}</dd></div>\n`)}</dl>`;
}
