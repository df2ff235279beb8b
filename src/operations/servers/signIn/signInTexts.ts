import { commandsFor } from './commandsFor.js';
import type { PendingSignIn } from './pending/pendingSignIn.js';

/** What people are told of something that is no part of a sign-in under way. */
const texts = {
  sign_in_unknown: 'There is no such sign-in, or it has ended: links work once and for 10 minutes. If you went back to the sign-in page and chose again, go on from there; else begin again with `toolledger mcp sign-in`.',
  signer_erased: 'The person who began this sign-in was erased, so nothing comes of it.',
  server_removed: 'This sign-in has ended because the server was removed, so there is nothing to sign in at.',
  workspace_closed: 'This sign-in has ended because its workspace was closed. When it is open again, begin again with `toolledger mcp sign-in`.',
  sign_in_expired: 'This sign-in has ended: it lasts 10 minutes. Begin again with `toolledger mcp sign-in`.',
  sign_in_used: 'This was used already, and nothing was done with it again. `toolledger mcp list` shows who is signed in. If it was not you who used it, begin again with `toolledger mcp sign-in`.',
  signed_in_already: 'This sign-in went through, and nothing was done with it again. You can close this page. `toolledger mcp list` shows who is signed in.',
  sign_in_over: 'This sign-in has ended without an account, and nothing was done with it again. `toolledger mcp history` shows why; begin again with `toolledger mcp sign-in`.',
  sign_in_unrecorded: 'You signed in, and that could not be put on record yet. It will be by itself; `toolledger mcp list` shows when it is.',
  sign_in_other_browser: 'This sign-in was begun in another browser. Go on there, or begin again with `toolledger mcp sign-in`.',
  sign_in_forged: 'This was not sent from the page of this sign-in, and nothing was done. Open the link again.',
} as const;

export type SignInText = keyof typeof texts;

/** What people are told, with commands that can be typed as they stand where it is known what it is about. */
export function signInText(code: SignInText, about: Pick<PendingSignIn, 'serverName' | 'origin'> | null): string {
  return about === null ? texts[code] : commandsFor(about, texts[code]);
}
