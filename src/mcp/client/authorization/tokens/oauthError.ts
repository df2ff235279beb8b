import { isJsonObject } from '../../../../platform/json.js';
import { serverWords } from '../../failures/serverWords.js';
import { errorName } from './errorName.js';

/** An error as OAuth endpoints write it (RFC 6749 §5.2, RFC 7591 §3.2.2); the server's own words. */
export interface OAuthError {
  /** Blank when it is no code that can be shown. */
  readonly error: string;
  readonly description: string | null;
}

/** @returns null when the document is no such error */
export function oauthErrorIn(document: unknown): OAuthError | null {
  if (!isJsonObject(document) || typeof document['error'] !== 'string') return null;
  const description = document['error_description'];
  return { error: errorName(document['error']) ?? '', description: typeof description === 'string' ? description : null };
}

/** The error at the end of a message, as the other side's words: ` It says: “invalid_grant: The code is used up”`. */
export function errorWords({ error, description }: OAuthError): string {
  return serverWords([error, description ?? ''].filter((words) => words.trim() !== '').join(': '));
}
