import { describe, it } from '@jest/globals';
import { turnDecider } from '../../../src/commands/turn.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(turnDecider);
const shown = { tools: [{ name: 'roll_dice', definition: 'a'.repeat(64) }], leftOut: [{ name: 'echo', reasons: ['switched_off'] }], undiscovered: [{ server: 'everything', reason: 'tools_unknown' }] };
const declared = { type: 'ToolsDeclared', data: shown } as const;

describe('what a turn was shown', () => {
  it('is recorded', () => given().when({ type: 'Declare', shown }).thenEvents(declared));

  it('is not recorded again while it stays the same', () => given(declared).when({ type: 'Declare', shown: { ...shown, tools: [...shown.tools] } }).thenNothing());

  it.each([
    ['a tool has gone', { ...shown, tools: [] }],
    ['a text has changed', { ...shown, tools: [{ name: 'roll_dice', definition: 'b'.repeat(64) }] }],
    ['a reason has changed', { ...shown, leftOut: [{ name: 'echo', reasons: ['server_disabled'] }] }],
    ['a server was discovered', { ...shown, undiscovered: [] }],
  ])('is recorded anew when %s', (_what, other) => given(declared).when({ type: 'Declare', shown: other }).thenEvents({ type: 'ToolsDeclared', data: other }));

  it('is recorded anew when it is again what it once was', () => {
    const other = { ...shown, tools: [] };
    given(declared, { type: 'ToolsDeclared', data: other }).when({ type: 'Declare', shown }).thenEvents(declared);
  });
});
