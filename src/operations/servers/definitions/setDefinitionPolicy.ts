import { z } from 'zod';
import { toolSettingsDecider, toolSettingsStream } from '../../../commands/toolSettings.js';
import { operation } from '../../operation.js';
import { originOf } from '../../origin.js';
import { definitionPolicies, workspaceId } from '../../words.js';

/** Says which rule holds in a workspace for definitions that changed; null: the deployment's, from now on. */
export const setDefinitionPolicy = operation({
  name: 'setDefinitionPolicy',
  reach: 'owner',
  ifLost: 'Look with `toolledger mcp policy` before you repeat it.',
  input: z.object({ policy: z.enum(definitionPolicies).nullable(), workspace: workspaceId }),
  output: z.object({ changed: z.boolean() }),
  async run({ handler }, { policy, workspace }, { caller }) {
    const outcome = await handler.execute(toolSettingsDecider, toolSettingsStream(workspace), [{ type: 'SetDefinitionPolicy', policy }], originOf(caller, workspace));
    return { changed: outcome.kind === 'recorded' };
  },
});
