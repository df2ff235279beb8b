import { eventType, type EventOf } from './eventType.js';

/** A workspace may use tools from now on. */
const workspaceOpened = eventType({
  name: 'WorkspaceOpened',
  data: ({ z }) => z.strictObject({ kind: z.enum(['local', 'guild', 'dm']) }),
  personal: null,
});

/** No tool may be used in the workspace until it is opened again. */
const workspaceClosed = eventType({
  name: 'WorkspaceClosed',
  data: ({ z }) => z.strictObject({}),
  personal: null,
});

export const workspaceTypes = [workspaceOpened, workspaceClosed] as const;

/** Stream `workspace-<workspace>`. */
export type WorkspaceEvent = EventOf<(typeof workspaceTypes)[number]>;
