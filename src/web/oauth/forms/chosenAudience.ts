import { mostInAudience } from '../../../events/catalogue/mcpServers/offeredTools.js';
import type { Audience } from '../oauthPages.js';

const roleId = /^[0-9]{1,20}$/;

/** What may be written into the field for roles; shown beside it. */
export const allowedRoles = `role ids of 1 to 20 digits with spaces or commas between them, at most ${mostInAudience}`;

/** A choice as it came from the form. */
export interface AudienceEntry {
  readonly who: string;
  readonly roles: string;
}

/** The form as it was filled in, not judged yet. */
export function audienceEntry(fields: ReadonlyMap<string, string>): AudienceEntry {
  return { who: fields.get('who') ?? '', roles: fields.get('roles') ?? '' };
}

/**
 * Who was chosen, or what is wrong with the choice. Roles beside another choice are refused and not dropped: whoever
 * wrote them meant fewer people than everyone.
 */
export function chosenAudience({ who, roles: text }: AudienceEntry): Audience | { readonly mistake: string } {
  const roles = [...new Set(text.split(/[\s,]+/).filter((role) => role !== ''))];
  switch (who) {
    case 'everyone':
    case 'signer':
      if (roles.length === 0) return { who, roles };
      return { mistake: 'Role ids are filled in, and another choice is marked. Mark “Members with one of these roles”, or empty the field.' };
    case 'roles':
      if (roles.length === 0) return { mistake: 'Name at least one role id, or choose another answer.' };
      if (roles.length <= mostInAudience && roles.every((role) => roleId.test(role))) return { who, roles };
      return { mistake: `These roles cannot be used. Allowed: ${allowedRoles}.` };
    default:
      return { mistake: 'Nothing is chosen. Mark one of the three choices.' };
  }
}
