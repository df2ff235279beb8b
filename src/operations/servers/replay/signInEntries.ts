import type { z } from 'zod';
import { isNarrow, narrowText } from '../../../commands/mcpSignIn/narrowAccount.js';
import { mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import { catalogue, type AnyEvent } from '../../../events/catalogue/catalogue.js';
import { mcpSignInTypes, type McpSignInEvent } from '../../../events/catalogue/mcpSignIn.js';
import type { RecordedEvent } from '../../../events/envelope.js';
import type { EventReader } from '../../../events/eventStore.js';
import { othersNames } from '../../../platform/text/othersNames.js';
import { operatorOf } from '../../operatorOf.js';
import { personName } from '../../personName.js';
import { unaltered } from '../../unaltered.js';
import { iso } from '../../words.js';
import { reasonOfSignIn } from '../signIn/reasonOfSignIn.js';
import type { lifeEntry } from './lifeEntries.js';

const pageSize = 500;
const names: readonly string[] = mcpSignInTypes.map(({ name }) => name);

/**
 * What is on record of the accounts at a server, one entry an event, in order.
 * @param until what was recorded later is left out, milliseconds since the epoch; null: nothing is
 * @throws Fault `altered_event` and those of the catalogue
 */
export async function signInEntries(ledger: Pick<EventReader, 'readStream'>, serverId: string, until: number | null): Promise<z.input<typeof lifeEntry>[]> {
  const entries: z.input<typeof lifeEntry>[] = [];
  let granted: Granted = null;
  for (let from = 0; ; from += pageSize) {
    const page = await ledger.readStream(mcpSignInStream(serverId), from, pageSize);
    for (const event of page) {
      if (until !== null && event.recordedAt > until) return entries;
      const known = catalogue.decode(unaltered(event));
      if (!isOfSignIns(known)) continue;
      if (known.type === 'McpSignInCompleted') granted = known.data.scopes;
      if (known.type === 'McpTokenRefreshed') granted = known.data.scopes ?? granted;
      entries.push(entryOf(known, event, granted));
    }
    if (page.length < pageSize) return entries;
  }
}

function isOfSignIns(event: AnyEvent): event is McpSignInEvent {
  return names.includes(event.type);
}

/** The scopes of the account at the time; null: nobody said. */
type Granted = readonly string[] | null;

function entryOf(known: McpSignInEvent, { position, recordedAt, actor, door, onBehalfOf }: RecordedEvent, granted: Granted): z.input<typeof lifeEntry> {
  return { position, recordedAt: iso(recordedAt), type: known.type, actor, door, onBehalfOf, text: signInText(known, granted, operatorOf({ actor, door })), data: known.data, changes: null, diffs: null };
}

const audiences = { everyone: 'everyone in the workspace', roles: 'members with certain roles', signer: 'that person alone' } as const;
const clients = { given: 'as the client that an admin gave', metadata_document: 'by the metadata document of toolledger', registered: 'as the client that toolledger registered there' } as const;
const unusedRevocations = { revoked: 'they were revoked', unsupported: 'tokens cannot be revoked there', failed: 'the authorization server could not be told' } as const;
const revocations = { revoked: 'its tokens were revoked', unsupported: 'tokens cannot be revoked there', failed: 'the authorization server could not be told' } as const;

/**
 * Says in a sentence what happened to the account at a server.
 * @param operator the subject that stands for the operator of this machine, where the door tells it
 */
export function signInText(known: McpSignInEvent, granted: Granted, operator: string | null): string {
  switch (known.type) {
    case 'McpSignInStarted': {
      const { issuer, issuerBefore, client, scopes } = known.data;
      const changed = issuerBefore === null ? '' : ` The one before was made at ${issuerBefore}.`;
      return `A sign-in at ${issuer} was begun, ${clients[client]}, for ${scopeText(scopes)}.${changed}`;
    }
    case 'McpSignInCompleted': {
      const { issuer, signer, scopes, audience, renewable } = known.data;
      return `Signed in at ${issuer} by ${personName(signer, operator)}, for ${scopeText(scopes)}; its tools are for ${audiences[audience]}.${renewable ? '' : ' It cannot be renewed.'}`;
    }
    case 'McpSignInFailed':
      return `The sign-in came to nothing: ${reasonOfSignIn(known.data.reason)}.`;
    case 'McpSignInRefused':
      return `Somebody was turned away who was no part of the sign-in: ${reasonOfSignIn(known.data.reason)}.`;
    case 'McpTokenRefreshed': {
      const { rotated, scopes } = known.data;
      return `The access token was renewed${rotated ? ', and what renews it too' : ''}.${scopes === null ? '' : ` Granted from now on: ${scopeText(scopes)}.`}`;
    }
    case 'McpReauthorizationRequired': {
      const account = { lapsed: known.data.reason, scopes: granted, wanted: known.data.scopes };
      if (isNarrow(account)) return `${narrowText(account)} Its server waits for a sign-in that grants it (${known.data.reason}), or for a look that works without the tool that wants it.`;
      return `The account cannot be used until somebody signs in again: ${reasonOfSignIn(known.data.reason)}.`;
    }
    case 'McpSignedOut':
      return `Signed out: ${reasonOfSignIn(known.data.reason)}; ${revocations[known.data.revocation]}.`;
    case 'McpTokensGivenUp':
      return `Tokens that no account is used with were given up: ${reasonOfSignIn(known.data.reason)}; ${unusedRevocations[known.data.revocation]}.`;
  }
}

function scopeText(scopes: readonly string[] | null): string {
  return scopes === null ? 'nothing in particular' : scopes.length === 0 ? 'no scope' : othersNames(scopes);
}
