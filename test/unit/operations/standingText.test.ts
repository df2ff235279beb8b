import { describe, expect, it } from '@jest/globals';
import { standingOf } from '../../../src/operations/servers/standingText.js';

type Judged = Parameters<typeof standingOf>[0];

const fine: Judged = { name: 'notes', state: 'enabled', credential: 'token', autoDisabled: null, changedAt: 0, connection: { streak: null, waitUntil: null, parked: null } };
const later = 60_000;

/** How a server stands at the beginning of 1970. */
function standing(change: Partial<Omit<Judged, 'connection'>>, connection: Partial<Judged['connection']> = {}) {
  return standingOf({ ...fine, ...change, connection: { ...fine.connection, ...connection } }, 0, 'local');
}

describe('how a server stands', () => {
  it.each<[string, ReturnType<typeof standing>, string, string]>([
    ['a quarantine', standing({}, { streak: { failures: 1, since: 0, class: 'timeout' }, waitUntil: later }), 'quarantined', 'It failed at 1970-01-01T00:00:00.000Z (timeout). It is left alone until 1970-01-01T00:01:00.000Z. To try now: toolledger mcp refresh notes'],
    [
      'a quarantine after a token was not accepted',
      standing({}, { streak: { failures: 1, since: 0, class: 'unauthorized' }, waitUntil: later }),
      'quarantined',
      'It failed at 1970-01-01T00:00:00.000Z (unauthorized). Set another token with `toolledger mcp set-token notes --token-prompt`. It is left alone until 1970-01-01T00:01:00.000Z. To try now: toolledger mcp refresh notes',
    ],
    ['the same when the quarantine is over', standing({}, { streak: { failures: 1, since: 0, class: 'unauthorized' } }), 'enabled', 'It failed at 1970-01-01T00:00:00.000Z (unauthorized). Set another token with `toolledger mcp set-token notes --token-prompt`.'],
    [
      'a server that was disabled for its token',
      standing({ state: 'disabled', autoDisabled: { class: 'unauthorized', failures: 9, failingSince: 0 } }),
      'auto_disabled',
      'Disabled by itself at 1970-01-01T00:00:00.000Z, because it failed 9 times in a row since 1970-01-01T00:00:00.000Z (last: unauthorized). Set another token with `toolledger mcp set-token notes --token-prompt`. When it works again: toolledger mcp enable notes',
    ],
    [
      'one whose account may not do what was asked',
      standing({ credential: 'oauth' }, { streak: { failures: 1, since: 0, class: 'unauthorized' } }),
      'enabled',
      'It failed at 1970-01-01T00:00:00.000Z (unauthorized). Sign in with another account, with `toolledger mcp sign-in notes`.',
    ],
    ['one whose address is lost', standing({ lost: 'address' }), 'address_missing', 'The address of the server is not in the keys; nothing was sent. Put back the keys that hold it with `toolledger keys restore FILE`, or remove the server with `toolledger mcp remove notes` and add it again with `toolledger mcp add URL --name NAME`.'],
    ['one whose token is lost', standing({ lost: 'token' }), 'parked', 'The token of the server is not in the keys. Put back the keys that hold it with `toolledger keys restore FILE`, or set it again with `toolledger mcp set-token notes --token-prompt`.'],
    [
      'one whose account\u2019s tokens are lost',
      standing({ lost: 'tokens' }),
      'parked',
      'The tokens of the account at the server are not in the keys. Put back the keys that hold them with `toolledger keys restore FILE`, or sign in again with `toolledger mcp sign-in notes`.',
    ],
    [
      'one that wants a sign-in',
      standing({}, { parked: { reason: 'needs_sign_in', at: 0 } }),
      'parked',
      'It wants a sign-in or a token, and has none. Sign in with `toolledger mcp sign-in notes`, or give it a token with `toolledger mcp set-token notes --token-prompt`. It is looked at once a day, last at 1970-01-01T00:00:00.000Z. To try now: toolledger mcp refresh notes',
    ],
    [
      'one whose account is not known',
      standing({}, { parked: { reason: 'needs_reauthorization', at: 0 } }),
      'parked',
      'The account that was signed in is not accepted any more, or lacks scopes. Sign in again with `toolledger mcp sign-in notes`. It is looked at once a day, last at 1970-01-01T00:00:00.000Z. To try now: toolledger mcp refresh notes',
    ],
    [
      'one whose account is good and too narrow',
      standing({ grant: { lapsed: 'insufficient_scope', scopes: ['tools'], wanted: ['tools', 'offline_access', 'admin'] } }, { parked: { reason: 'needs_reauthorization', at: 0 } }),
      'parked',
      'The account that was signed in is still good, but lacks scopes: “admin”. Sign in again with `toolledger mcp sign-in notes`. Or do without the tool that wants them: switch it off with `toolledger mcp tool off notes TOOL`, then look again with `toolledger mcp refresh notes`. It is looked at once a day, last at 1970-01-01T00:00:00.000Z. To try now: toolledger mcp refresh notes',
    ],
    [
      'one of whose account nobody said what was granted',
      standing({ grant: { lapsed: 'insufficient_scope', scopes: ['tools'], wanted: ['tools'] } }, { parked: { reason: 'needs_reauthorization', at: 0 } }),
      'parked',
      'The account that was signed in is still good, but lacks scopes that the server did not name. Sign in again with `toolledger mcp sign-in notes`. Or do without the tool that wants them: switch it off with `toolledger mcp tool off notes TOOL`, then look again with `toolledger mcp refresh notes`. It is looked at once a day, last at 1970-01-01T00:00:00.000Z. To try now: toolledger mcp refresh notes',
    ],
    [
      'one whose sign-in is over',
      standing({ grant: { lapsed: 'invalid_grant', scopes: ['tools'], wanted: ['tools'] } }, { parked: { reason: 'needs_reauthorization', at: 0 } }),
      'parked',
      'The sign-in at it is no longer valid. Sign in again with `toolledger mcp sign-in notes`. It is looked at once a day, last at 1970-01-01T00:00:00.000Z. To try now: toolledger mcp refresh notes',
    ],
    [
      'a wait, which is the server\u2019s wish only as far as it is kept to',
      standing({}, { waitUntil: later }),
      'rate_limited',
      'It answered that it is asked too often, and is left alone until 1970-01-01T00:01:00.000Z. A wait it asks for is kept to for 1d at most. To try now: toolledger mcp refresh notes',
    ],
  ])('%s', (_what, found, state, text) => expect(found).toEqual({ state, text }));

  it('names the workspace in what is to be typed', () => {
    const parked = { ...fine, connection: { ...fine.connection, parked: { reason: 'needs_sign_in' as const, at: 0 } } };
    expect(standingOf(parked, 0, 'g7').text).toMatch(/Sign in with `toolledger mcp sign-in notes --workspace g7`, or .* set-token notes --token-prompt --workspace g7`\. .* mcp refresh notes --workspace g7$/);
  });

  it('needs no words when nothing is known against it', () => {
    expect(standing({})).toEqual({ state: 'enabled', text: null });
  });
});
