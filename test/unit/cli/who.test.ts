import { expect, it } from '@jest/globals';
import { who } from '../../../src/cli/format/who.js';

it.each([
  ['the operator of this machine through cli', { actor: 'op', door: 'cli', onBehalfOf: null }],
  ['the operator of this machine through mcp', { actor: 'op', door: 'mcp', onBehalfOf: null }],
  ['the operator of this machine through cli, on behalf of person ada', { actor: 'op', door: 'cli', onBehalfOf: 'ada' }],
  ['person ada through discord', { actor: 'ada', door: 'discord', onBehalfOf: null }],
  ['toolledger itself', { actor: 'system', door: 'system', onBehalfOf: null }],
])('%s', (text, by) => expect(who(by)).toBe(text));
