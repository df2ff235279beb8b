import { z } from 'zod';
import { removerOf } from '../../../../platform/scrub/knownSecrets.js';
import { scopesIn } from '../scopeTokens.js';

/** What a token endpoint gave. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Milliseconds since the Unix epoch; null when it was not said. */
  readonly expiresAt: number | null;
  /** What was granted; null when it was not said. */
  readonly scopes: readonly string[] | null;
}

/** Longest token, in bytes: a header with a longer one is refused by servers. */
const maxTokenLength = 16_384;

/** Longest life that is believed, in seconds: ten years. */
const longestLife = 315_360_000;

/** A bearer token is sent in a header (RFC 6750 §2.1), so it is visible ASCII. */
const token = z.string().min(1).max(maxTokenLength).regex(/^[\x21-\x7e]+$/);

/** RFC 6749 §5.1. An id token may be there and is not looked at: who signed in is nobody's business here. */
const tokenAnswer = z.object({
  access_token: token,
  token_type: z.string().regex(/^bearer$/i),
  // Servers that give none write null, or nothing between the quotes.
  refresh_token: z.union([z.literal(''), token]).nullish(),
  // Both may be left out (RFC 6749 §5.1).
  expires_in: z.unknown().optional(),
  scope: z.unknown().optional(),
});

/**
 * Reads a token answer.
 * @param now when it was asked for, in milliseconds since the Unix epoch
 * @param sent the secrets that it was asked with
 * @returns the tokens, or the name of the field that makes it useless
 */
export function readTokenAnswer(document: unknown, now: number, sent: readonly string[]): TokenSet | string {
  const { success, data, error } = tokenAnswer.safeParse(document);
  if (!success) return String(error.issues[0]?.path[0] ?? 'everything');
  const refreshToken = data.refresh_token == null || data.refresh_token === '' ? null : data.refresh_token;
  const remove = removerOf([data.access_token, ...(refreshToken === null ? [] : [refreshToken]), ...sent]);
  // Scopes go on record; a server may name a secret as one.
  const scopes = typeof data.scope === 'string' ? scopesIn(data.scope).filter((scope) => remove(scope) === scope) : [];
  return {
    accessToken: data.access_token,
    refreshToken,
    expiresAt: expiry(data.expires_in, now),
    scopes: scopes.length === 0 ? null : scopes,
  };
}

/** A life that makes no sense is as good as none said: the token is used until it is refused. Some servers write it as text. */
function expiry(given: unknown, now: number): number | null {
  const seconds = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return null;
  return now + Math.floor(Math.min(seconds, longestLife) * 1_000);
}
