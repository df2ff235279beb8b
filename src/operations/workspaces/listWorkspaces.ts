import { z } from 'zod';
import { operation } from '../operation.js';
import { iso, isoTime } from '../words.js';

/** Every workspace ever opened. */
export const listWorkspaces = operation({
  name: 'listWorkspaces',
  reach: 'views',
  input: z.object({}),
  output: z.object({
    workspaces: z.array(
      z.object({ workspace: z.string(), kind: z.string(), state: z.enum(['open', 'closed']), openedAt: isoTime, changedAt: isoTime }),
    ),
  }),
  async run({ views }) {
    const workspaces = await views.query('workspaces', {});
    return {
      workspaces: workspaces.map((view) => ({ ...view, openedAt: iso(view.openedAt), changedAt: iso(view.changedAt) })),
    };
  },
});
