import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { builtInTools } from '../../../src/tools/builtin/all.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';
import type { BuiltInTool } from '../../../src/tools/tool.js';
import { builtInTool } from '../../support/dispatch/house.js';

/** A tool that came past the compiler. */
function broken(change: object): BuiltInTool {
  return { ...builtInTool({ name: 'send' }), ...change };
}

describe('registering built-in tools', () => {
  it.each([
    ['a blank name', { name: ' ' }, /name of 1 to 64/],
    ['an upper-case name', { name: 'Send' }, /lower-case/],
    ['a name over 64 characters', { name: 'a'.repeat(65) }, /1 to 64/],
    ['a name that is no text', { name: 7 }, /name/],
    ['a blank title', { title: '' }, /title/],
    ['a blank description', { description: '\n' }, /description/],
    ['no category', { category: undefined }, /one of discord, search, memory, utility, mcp/],
    ['an unknown category', { category: 'games' }, /category/],
    ['no parameters', { parameters: undefined }, /zod object/],
    ['parameters that are no object', { parameters: z.string() }, /zod object/],
    ['no function to run', { execute: 'run' }, /function `execute`/],
    ['unknown effects', { effects: 'none' }, /readOnlyLocal, effects/],
    ['a bad alias', { aliases: ['two words'] }, /alias "two words"/],
    ['no ledger statements', { ledger: undefined }, /what is kept/],
    ['a statement about an unknown parameter', { ledger: { txet: 'value' } }, /txet, which is not a parameter/],
    ['an unknown statement', { ledger: { text: 'everything' } }, /value, presence, digest, personal/],
    ['an alias equal to its name', { aliases: ['send'] }, /which it uses already/],
  ])('refuses %s and names the tool', (_what, change, problem) => {
    const register = () => makeToolRegistry([broken(change)]);
    expect(register).toThrow(expect.objectContaining({ code: 'invalid_tool', message: expect.stringMatching(problem) }));
    expect(register).toThrow(/^Tool (send|Send|a{65}|\(no name\)) cannot be registered/);
  });

  it('refuses a name or alias that belongs to another tool', () => {
    expect(() => makeToolRegistry([builtInTool({ name: 'send' }), builtInTool({ name: 'send' })])).toThrow(/the name send, which it uses already|belongs to send/);
    expect(() => makeToolRegistry([builtInTool({ name: 'send', aliases: ['post'] }), builtInTool({ name: 'post' })])).toThrow(/post, which belongs to send/);
  });

  it('refuses parameters that JSON Schema cannot express', () => {
    expect(() => makeToolRegistry([builtInTool({ name: 'send', parameters: z.object({ text: z.date() }) })])).toThrow(/JSON Schema cannot express/);
  });

  it('finds tools by name and alias, exactly', () => {
    const registry = makeToolRegistry([builtInTool({ name: 'send', aliases: ['post'] })]);
    expect(registry.find('post')?.tool.name).toBe('send');
    expect(registry.find('POST')).toBeUndefined();
    expect(registry.find('__proto__')).toBeUndefined();
  });

  it('reserves names and aliases in every spelling that looks the same', () => {
    const registry = makeToolRegistry([builtInTool({ name: 'fetch_url', aliases: ['post'] })]);
    expect(['fetch_url', 'FETCH_URL', 'ｆｅｔｃｈ_ｕｒｌ', 'Post'].map((name) => registry.reserves(name))).toEqual([true, true, true, true]);
    expect(registry.reserves('fetch_urls')).toBe(false);
  });

  it('declares parameters as JSON Schema', () => {
    const parameters = z.object({ text: z.string().describe('What to send'), times: z.int().min(1).default(1) });
    const [entry] = makeToolRegistry([builtInTool({ name: 'send', parameters })]).tools;
    expect(entry?.declared.inputSchema).toMatchObject({
      type: 'object',
      properties: { text: { type: 'string', description: 'What to send' }, times: { type: 'integer', minimum: 1, default: 1 } },
      required: ['text'],
    });
  });

  it('takes the tools of this product', () => {
    expect(makeToolRegistry(builtInTools).find('roll_dice')?.declared.inputSchema).toMatchObject({ required: ['notation'] });
  });
});
