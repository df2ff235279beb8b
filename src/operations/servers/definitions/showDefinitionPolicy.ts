import { z } from 'zod';
import { operation } from '../../operation.js';
import { definitionPolicies, workspaceId } from '../../words.js';
import { requireOpened } from '../../workspaces/requireOpened.js';

/** Which rule holds in a workspace for definitions that changed, and whether it is the workspace's own. */
export const showDefinitionPolicy = operation({
  name: 'showDefinitionPolicy',
  reach: 'views',
  input: z.object({ workspace: workspaceId }),
  output: z.object({ policy: z.enum(definitionPolicies), from: z.enum(['workspace', 'deployment']) }),
  async run({ views, definitionPolicy }, { workspace }) {
    const { policy, state } = await views.query('toolRegistry', { workspace });
    requireOpened(workspace, state);
    return policy === null ? { policy: definitionPolicy, from: 'deployment' as const } : { policy, from: 'workspace' as const };
  },
});
