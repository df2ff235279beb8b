import { allowedRoles, type AudienceEntry } from '../forms/chosenAudience.js';
import type { OfferedSignIn } from '../oauthPages.js';
import { html, type Html } from './html.js';
import { named } from './named.js';

/** What the form begins with, or what was filled in and is wrong. */
export interface StartEntry extends AudienceEntry {
  readonly mistake: string | null;
}

/** The choice who will be able to use the tools with the account. */
export function audienceFieldset({ server, workspace, admin, hasRoles, isOutsider }: OfferedSignIn, { who, roles, mistake }: StartEntry): Html {
  const choice = (value: string, label: string | Html): Html =>
    html`<label class="choice"><input type="radio" name="who" value="${value}" required${value === who ? html` checked` : null}> <span>${label}</span></label>`;
  return html`<fieldset>
<legend>Who may use the tools with this account?</legend>
<p class="hint">They act at ${named(server)} as you: what your account may see and change there, they can have a model see and change.</p>
${choice('everyone', 'Everyone in the workspace')}
<div>
${choice('roles', 'Members with one of these roles')}
<div class="under">
<label for="roles">Role ids</label>
<input id="roles" name="roles" value="${roles}" inputmode="numeric" autocomplete="off" spellcheck="false" aria-describedby="roles-hint${mistake === null ? null : ' mistake'}"${mistake === null ? null : html` aria-invalid="true"`}>
<p class="hint" id="roles-hint">Allowed: ${allowedRoles}.${hasRoles ? null : html` Nobody in the workspace ${named(workspace)} has roles, so nobody could use the tools.`}</p>
</div>
</div>
${choice('signer', html`Only me, ${named(admin)}`)}
${isOutsider ? html`<p class="hint under">No member of the guild can use the tools then: the operator of this machine is not one.</p>\n` : null}</fieldset>`;
}
