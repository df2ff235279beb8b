import { builtInToolsDecider, builtInToolsStream } from '../commands/builtInTools.js';
import type { CommandHandler, Origin } from '../commands/commandHandler.js';
import { toolDefinitionDecider, toolDefinitionStream } from '../commands/toolDefinition.js';
import type { ToolRegistry } from './registry.js';

/**
 * Records which built-in tools this program has when that is not what was recorded last: first the texts of their
 * definitions, then the list that names them, so that no list and no call ever names a text that is missing. Once a
 * start, so that a call need not look.
 * @throws EventStoreError when the ledger cannot take it: then no call may name them
 */
export async function recordBuiltIns(handler: CommandHandler, { tools }: ToolRegistry, origin: Origin): Promise<void> {
  const offered = tools.map(({ name, aliases, definition, onByDefault }) => ({ name, aliases: [...aliases], definition, onByDefault }));
  const { state } = await handler.load(builtInToolsDecider, builtInToolsStream);
  const known = new Set(state.tools?.map(({ definition }) => definition));
  for (const { definition: hash, text: definition } of tools) {
    if (known.has(hash)) continue;
    await handler.execute(toolDefinitionDecider, toolDefinitionStream(hash), [{ type: 'Record', hash, definition }], origin);
  }
  await handler.execute(builtInToolsDecider, builtInToolsStream, [{ type: 'Offer', tools: offered }], origin);
}
