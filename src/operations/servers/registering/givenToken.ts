import { z } from 'zod';

/** Longest token that is taken, in UTF-16 code units. */
const maxToken = 500;

/** A bearer token as somebody pasted it; null or blank for none. */
export const givenToken = z.string().max(maxToken, `a token has at most ${maxToken} characters`).nullable();

/** The token without the white space around it; null when nothing is left. */
export function typedToken(given: z.output<typeof givenToken>): string | null {
  const token = given?.trim() ?? '';
  return token === '' ? null : token;
}
