import { urlSecrets } from '../urlSecrets.js';
import type { ServerTarget } from './account.js';

/** Everything secret that is in use for a server at this moment; an account's tokens change. */
export function secretsOf({ url, token, account }: ServerTarget): readonly string[] {
  return [...(token === null ? [] : [token]), ...(account?.secrets() ?? []), ...urlSecrets(url)];
}
