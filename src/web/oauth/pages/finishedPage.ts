import { commandIn } from '../../../operations/words.js';
import type { FinishedSignIn } from '../oauthPages.js';
import { html, type Html } from './html.js';
import { layout } from './layout.js';
import { named } from './named.js';
import { sentences } from './sentences.js';

/** What the sign-in came to, and what happens next. */
export function finishedPage({ server, workspace, signedIn, usable, sentence }: FinishedSignIn): Html {
  const list = html` <code>${commandIn(workspace, 'mcp list')}</code> lists the tools of ${named(server)} in the workspace ${named(workspace)}.`;
  const next = signedIn ? html`<p>You can close this page.${usable ? list : null}</p>` : html`<p>You can close this page. <code>${commandIn(workspace, `mcp sign-in ${server}`)}</code> begins again.</p>`;
  return layout(signedIn ? `Signed in at ${server}${usable ? '' : ', but it cannot be used yet'}` : `Not signed in at ${server}`, html`<p>${sentences(sentence)}</p>\n${next}`);
}
