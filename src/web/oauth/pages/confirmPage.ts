import type { ReturnedAnswer, ReturnedSignIn } from '../oauthPages.js';
import { facts } from './facts.js';
import { hiddenFields } from './hiddenFields.js';
import { html, type Html } from './html.js';
import { layout } from './layout.js';
import { named } from './named.js';
import { sentences } from './sentences.js';

/** Back from the authorization server: nothing is used until somebody says so. What came back is sent on and not shown. */
export function confirmPage(answer: Omit<ReturnedAnswer, 'cookie'>, signIn: ReturnedSignIn): Html {
  const { server, workspace, admin, host, audience, refused } = signIn;
  const { state, code, iss, error, errorDescription } = answer;
  return layout(
    refused === null ? `Confirm the sign-in at ${server}` : `Not signed in at ${server}`,
    html`${refused === null ? html`<p>You signed in at ${named(host)}. Confirm, and toolledger uses this account from now on.</p>` : html`<p class="stop">${sentences(refused)}</p>`}
${facts([
  ['MCP server', named(server)],
  ['Workspace', named(workspace)],
  ['Begun by', named(admin)],
  ['Authorization server', named(host)],
  ...(refused === null ? [['Who may use the tools', named(audience)] as const] : []),
])}
${refused === null ? html`<p class="warning"><strong>If you did not begin this, close this page.</strong> Nothing is kept then.</p>` : html`<p><strong>Nobody is signed in, and nothing is kept.</strong> Press the button to tell whoever waits for this sign-in, so that they can begin again at once. Without it they wait until it ends by itself, 10 minutes after it was begun.</p>`}
<form method="post" action="/oauth/callback">
${hiddenFields({ csrf: signIn.csrf, state, code, iss, error, error_description: errorDescription })}
<button>${refused === null ? 'Confirm and finish' : 'End this sign-in'}</button>
</form>`,
  );
}
