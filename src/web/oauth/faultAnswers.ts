import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Fault } from '../../platform/fault.js';

/** How a failure is answered. */
interface FaultAnswer {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** Whether nothing is wrong, and nothing is to be done. */
  readonly isCalm?: boolean;
  /** Said in place of the fault's own words, which are for whoever runs the program: they name its files. */
  readonly message?: string;
  /** Whether what caused it belongs in the log. */
  readonly isReported?: boolean;
}

/**
 * Another server failed us (RFC 4918 §11.4). Not 502: proxies put their own page in the place of one (Cloudflare does),
 * and nobody would read what is wrong.
 */
const elsewhere: FaultAnswer = { status: 424, title: 'The sign-in did not succeed' };
const mixedUp: FaultAnswer = { status: 403, title: 'The answer is not from the expected server' };

const notHere: FaultAnswer = {
  status: 503,
  isReported: true,
  title: 'This does not work now',
  message: 'toolledger could not read or store what this takes. Whoever runs it sees why in its log and with `toolledger doctor`; after that, press the button again or begin again with `toolledger mcp sign-in`.',
};

const answers: { readonly [code: string]: FaultAnswer } = {
  not_this_host: { status: 403, title: 'Wrong address' },
  foreign_origin: { status: 403, title: 'Not sent from the sign-in page' },
  not_found: { status: 404, title: 'There is nothing here' },
  method_not_allowed: { status: 405, title: 'This cannot be done here' },
  form_too_large: { status: 413, title: 'The form is too large' },
  not_a_form: { status: 415, title: 'Not a form' },

  sign_in_unknown: { status: 404, title: 'No such sign-in' },
  sign_in_expired: { status: 410, title: 'This sign-in has ended' },
  sign_in_used: { status: 409, title: 'This link was used already' },
  signed_in_already: { status: 200, title: 'You are signed in already', isCalm: true },
  signed_in_unseen: {
    status: 200,
    isReported: true,
    title: 'Signed in, but it cannot be used yet',
    message: 'You are signed in, and that is on record. What the server offers could not be read or stored. Whoever runs toolledger sees why in its log and with `toolledger doctor`; after that, `toolledger mcp refresh` looks again. You can close this page.',
  },
  sign_in_unrecorded: {
    status: 202,
    isReported: true,
    title: 'Not finished yet',
    message: 'You signed in, and toolledger could not put that on record yet. It does so by itself, and you need not sign in again; `toolledger mcp list` shows when it has. Whoever runs toolledger sees what is in the way in its log and with `toolledger doctor`. You can close this page.',
  },
  sign_in_other_browser: { status: 403, title: 'Another browser began this sign-in' },
  sign_in_over: { status: 410, title: 'This sign-in has ended' },
  server_removed: { status: 410, title: 'This sign-in has ended' },
  workspace_closed: { status: 410, title: 'This sign-in has ended' },
  signer_erased: { status: 410, title: 'This sign-in has ended' },
  sign_in_forged: { status: 403, title: 'Not sent from the sign-in page' },
  issuer_missing: mixedUp,
  issuer_wrong: mixedUp,
  authorization_refused: { status: 403, title: 'The authorization server said no' },

  blocked_address: elsewhere,
  response_too_large: elsewhere,
  authorization_server_unreachable: elsewhere,
  invalid_client: elsewhere,
  invalid_grant: elsewhere,
  invalid_scope: elsewhere,
  invalid_target: elsewhere,
  token_refused: elsewhere,
  token_lost: elsewhere,
  token_unusable: elsewhere,
};

/** What is answered to a failure: by its code, else 400 to a request that was wrong and 503, without its words, when it did not work here. */
export function faultAnswer({ code, kind }: Fault): FaultAnswer {
  const known = Object.hasOwn(answers, code) ? answers[code] : undefined;
  return known ?? (kind === 'usage' ? { status: 400, title: 'This request cannot be used' } : notHere);
}
