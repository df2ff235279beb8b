/** What reason codes on record of sign-ins and accounts mean, as a part of a sentence. */
const texts: { readonly [code: string]: string } = {
  expired: 'its time was over',
  interrupted: 'the program stopped meanwhile',
  authorization_refused: 'the authorization server, or who signed in there, said no',
  issuer_missing: 'the answer did not say whom it came from, though that was promised',
  issuer_wrong: 'the answer came from another authorization server',
  link_wrong: 'the link was not the right one',
  link_used: 'the link was used before',
  state_wrong: 'the state was not the right one',
  state_used: 'the answer was brought a second time',
  not_begun: 'an answer came before anybody was sent to the authorization server',
  other_browser: 'it came from another browser',
  forged: 'it did not come from the page of the sign-in',
  no_refresh_token: 'the access token was refused, and there is nothing to renew it with',
  invalid_grant: 'the authorization server does not renew it any more',
  invalid_client: 'the authorization server does not know this program any more',
  refused_again: 'the server refused the token also after it was renewed',
  insufficient_scope: 'more has to be granted',
  blocked_address: 'the authorization server leads to an address that may not be reached',
  signer_erased: 'who signed in was erased',
  asked: 'an admin asked for it',
  removed: 'the server was removed',
  token_set: 'the server is used with a token instead',
  workspace_closed: 'the workspace was closed',
};

/** A reason as a part of a sentence, with its code; of a code that has no words the code alone. */
export function reasonOfSignIn(code: string): string {
  const text = texts[code];
  return text === undefined ? code : `${text} (${code})`;
}
