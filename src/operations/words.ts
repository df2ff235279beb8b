import { z } from 'zod';

export { commandIn } from '../tools/availability/commandIn.js';
export { completeCommands } from '../tools/availability/completeCommands.js';
export { callOutcomes } from '../projections/toolCallLog/queries.js';
export { clientSources } from '../events/catalogue/mcpSignIn.js';
export { definitionPolicies } from '../events/catalogue/toolSettings.js';
export { mcpServerKinds as serverKinds } from '../events/catalogue/mcpServers/registration.js';

/** A workspace as people name it; dispatch and the deciders judge whether it exists. */
export const workspaceId = z
  .string()
  .regex(/^(local|g[0-9]{1,20}|d[0-9a-f-]{36})$/, 'a workspace is `local`, `g<guild id>` or `d<subject>`')
  .default('local');

/** A person's id as the chat service gives it. */
export const user = z.string().min(1, 'a user is named by the id that the chat service gives').max(128);

/** An id of the chat service: of a channel or a role. */
export const discordId = z.string().regex(/^[0-9]{1,20}$/, 'an id is 1 to 20 digits');

/** A time in an answer: ISO 8601 in UTC with milliseconds. */
export const isoTime = z.string();

/** @param ms milliseconds since the epoch */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
