import type { SignInAudience } from '../pending/pendingSignIn.js';

/**
 * Who will be able to use the tools of a server, as part of a sentence.
 * @param signer how the one who signs in is named
 */
export function audienceText({ who, roles }: SignInAudience, signer: string): string {
  switch (who) {
    case 'everyone':
      return 'everyone in the workspace';
    case 'roles':
      return `members with one of the roles ${roles.join(', ')}`;
    case 'signer':
      return `only ${signer}`;
  }
}
