import { facts } from './facts.js';
import { html, type Html } from './html.js';
import { layout } from './layout.js';
import { named } from './named.js';
import { sentences } from './sentences.js';

/** What a page says in place of what was asked for. */
export interface ShownFault {
  readonly title: string;
  /** Safe to show. */
  readonly message: string;
  /** Whether nothing is wrong, and nothing is to be done. */
  readonly isCalm?: boolean;
  /** Name of the MCP server that it is about, where that is known. */
  readonly server?: string | null;
}

/** Why something did not work, or why there was nothing to do. */
export function faultPage({ title, message, isCalm = false, server = null }: ShownFault): Html {
  const said = sentences(message);
  return layout(title, html`${isCalm ? html`<p>${said}</p>` : html`<p class="stop">${said}</p>`}${server === null ? null : html`\n${facts([['MCP server', named(server)]])}`}`);
}
