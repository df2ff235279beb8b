import { html, type Html } from './html.js';
import { named } from './named.js';

/** Each scope that is asked for, whole; what it means is the server's to say. */
export function scopeList(scopes: readonly string[] | null): Html {
  if (scopes === null || scopes.length === 0) return html`<p>No scope by name: the authorization server decides what the account may be used for.</p>`;
  return html`<ul class="scopes">
${scopes.map((scope) => html`<li><code>${named(scope)}</code></li>\n`)}</ul>`;
}
