import { z } from 'zod';

/** Longest token that is taken, in UTF-16 code units. */
const maxToken = 500;

/** A bearer token as somebody pasted it, without the white space around it; null or blank for none. */
export const givenToken = z
  .string()
  .trim()
  .superRefine((token, context) => {
    const problem = tokenProblem(token);
    if (problem !== null) context.addIssue(`it ${problem}. Nothing was sent; copy the token again, alone: a token is 1 to ${maxToken} visible ASCII characters`);
  })
  .nullable();

/** The token; null when nothing was given but white space. */
export function typedToken(token: z.output<typeof givenToken>): string | null {
  return token === '' ? null : token;
}

/** What keeps a text from being a token, without any of it; null when nothing does. */
function tokenProblem(token: string): string | null {
  if (token.length > maxToken) return `has ${token.length} characters`;
  if (/^bearer\s/i.test(token)) return 'begins with the word "Bearer", which is to be left out';
  const odd = /[^\x21-\x7e]/.exec(token);
  if (odd === null) return null;
  const place = `at place ${odd.index + 1}`;
  if (/\s/.test(odd[0])) return `holds a space or line break ${place}`;
  return /\p{Cc}/u.test(odd[0]) ? `holds a control character ${place}` : `holds a character that is not ASCII ${place}`;
}
