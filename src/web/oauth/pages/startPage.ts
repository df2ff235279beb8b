import type { OfferedSignIn } from '../oauthPages.js';
import { audienceFieldset, type StartEntry } from './audienceFieldset.js';
import { facts } from './facts.js';
import { hiddenFields } from './hiddenFields.js';
import { html, type Html } from './html.js';
import { layout } from './layout.js';
import { named } from './named.js';
import { scopeList } from './scopeList.js';

/** Before the browser is sent to the authorization server: what is granted, to whom, and who will use it. */
export function startPage(link: string, offered: OfferedSignIn, entry: StartEntry): Html {
  const { server, address, workspace, admin, host, expiresAt } = offered;
  const signInHost = new URL(offered.formTarget).host;
  return layout(
    `Sign in at ${server}`,
    html`${entry.mistake === null ? null : html`<p class="stop" role="alert" id="mistake"><strong>Not sent yet.</strong> ${entry.mistake}</p>`}
<p>With the account that you sign in with, toolledger will call the tools of the MCP server <strong>${named(server)}</strong> for the workspace <strong>${named(workspace)}</strong>.</p>
${issuerWarning(offered)}
${facts([
  ['MCP server', named(server)],
  ['It is at', named(address)],
  ['Workspace', named(workspace)],
  ['Begun by', named(admin)],
  ['Authorization server', named(host)],
  ...(signInHost === host ? [] : [['Its sign-in page is at', named(signInHost)] as const]),
  ['This link ends', utcTime(expiresAt)],
])}
${offered.enabling === null ? null : html`<p>This server is disabled. Once you have signed in, <code>${offered.enabling}</code> puts it to use.</p>`}
<p class="warning"><strong>If you did not begin this, close this page.</strong> Nothing has happened yet.</p>
<h2>What is asked for</h2>
${scopeList(offered.scopes)}
<form method="post" action="/oauth/start/${link}" autocomplete="off">
${hiddenFields({ csrf: offered.csrf, page: offered.page })}
${audienceFieldset(offered, entry)}
<p>Next you sign in at ${named(signInHost)} and are sent back here to confirm. Until then nothing is kept.</p>
<button>Continue to ${named(signInHost)}</button>
</form>`,
  );
}

function issuerWarning({ host, hostBefore }: OfferedSignIn): Html | null {
  if (hostBefore === null) return null;
  const change =
    hostBefore === host
      ? html`It is still at ${named(host)}, but names itself differently than last time.`
      : html`Last time it was at ${named(hostBefore)}; now it is at ${named(host)}.`;
  return html`<p class="stop"><strong>The authorization server has changed.</strong> ${change} Continue only if you know from the people who run the MCP server that this is right.</p>`;
}

/** Without a script nobody knows the reader's time zone. */
function utcTime(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC</time>`;
}
