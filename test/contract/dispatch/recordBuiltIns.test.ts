import { describe, expect, it } from '@jest/globals';
import type { Origin } from '../../../src/commands/commandHandler.js';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import { recordBuiltIns } from '../../../src/tools/recordBuiltIns.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';
import { builtInTool, openHouse } from '../../support/dispatch/house.js';

const origin: Origin = { actor: 'system', door: 'system', onBehalfOf: null, workspace: 'local', correlation: null, causation: null };
const send = builtInTool({ name: 'send', aliases: ['post'] });
const draw = builtInTool({ name: 'draw', onByDefault: false });

describe('the start of a program', () => {
  it('records the definitions of its built-in tools, then which tools they are, and the same program never again', async () => {
    const house = await openHouse({ tools: [send, draw] });
    const starts = async () => recordBuiltIns(house.handler, house.registry, origin);
    await starts();
    expect(house.store.appends).toEqual([['ToolDefinitionRecorded'], ['ToolDefinitionRecorded'], ['BuiltInToolsOffered']]);
    await starts();
    expect(house.store.appends).toHaveLength(3);
    const [offered] = (await house.store.readStream('program-tools', 0, 10)).map((event) => catalogue.decode(event));
    expect(offered?.data).toMatchObject({ tools: [{ name: 'send', aliases: ['post'], onByDefault: true }, { name: 'draw', aliases: [], onByDefault: false }] });
  });

  it('records of another program what is new only', async () => {
    const house = await openHouse({ tools: [send] });
    await recordBuiltIns(house.handler, house.registry, origin);
    await recordBuiltIns(house.handler, makeToolRegistry([send, draw]), origin);
    expect(house.store.appends.slice(2)).toEqual([['ToolDefinitionRecorded'], ['BuiltInToolsOffered']]);
  });

  it('makes the text findable by the hash that every call of the tool carries, also a refused one', async () => {
    const house = await openHouse({ tools: [send] });
    await recordBuiltIns(house.handler, house.registry, origin);
    for (const args of [{ text: 'hi' }, { text: 7 }]) {
      const { callId } = await house.call('post', args);
      const [begun] = await house.recorded(callId);
      const definition = (begun?.data as { route: { definition: string } }).route.definition;
      const [text] = await house.store.readStream(`toolDefinition-${definition}`, 0, 1);
      expect(JSON.parse(text?.data ?? '')).toMatchObject({ hash: definition, definition: { name: 'send', description: 'Does send.' } });
    }
  });
});
