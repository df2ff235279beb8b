import { describe, expect, it } from '@jest/globals';
import { toolSettingsDecider, toolSettingsStream } from '../../../src/commands/toolSettings.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(toolSettingsDecider);
const set = (tool: string, on: boolean) => ({ type: 'ToolSwitchSet', data: { tool, on } }) as const;
const ask = (tool: string, on: boolean) => ({ type: 'SetSwitch', tool, on }) as const;

describe('the tool switches of a workspace', () => {
  it('have a stream of their own', () => expect(toolSettingsStream('local')).toBe('toolSettings-local'));

  it('record the first wish, also when it equals the default', () => given().when(ask('roll_dice', true)).thenEvents(set('roll_dice', true)));

  it('record a change', () => given(set('roll_dice', true)).when(ask('roll_dice', false)).thenEvents(set('roll_dice', false)));

  it('record nothing when it is already so', () => given(set('roll_dice', false)).when(ask('roll_dice', false)).thenNothing());

  it('are set one by one', () => given(set('roll_dice', false)).when(ask('echo', false)).thenEvents(set('echo', false)));

  it('know the last wish for each tool, whatever the tool is called', () => {
    const { switches } = given(set('roll_dice', true), set('__proto__', false), set('roll_dice', false)).state;
    expect([...switches]).toEqual([['roll_dice', false], ['__proto__', false]]);
  });
});

describe('the rule of a workspace for definitions that changed', () => {
  const policySet = (policy: 'warn' | 'hold' | null) => ({ type: 'DefinitionPolicySet', data: { policy } }) as const;
  const askPolicy = (policy: 'warn' | 'hold' | null) => ({ type: 'SetDefinitionPolicy', policy }) as const;

  it('is nobody\u2019s at first', () => expect(given().state.policy).toBeNull());

  it('is recorded when somebody sets it, also when it equals the deployment\u2019s', () => given().when(askPolicy('warn')).thenEvents(policySet('warn')));

  it('is recorded when it changes', () => given(policySet('warn')).when(askPolicy('hold')).thenEvents(policySet('hold')));

  it('goes back to the deployment\u2019s', () => {
    given(policySet('hold')).when(askPolicy(null)).thenEvents(policySet(null));
    expect(given(policySet('hold'), policySet(null)).state.policy).toBeNull();
  });

  it('is not recorded when it is already so', () => {
    given(policySet('hold')).when(askPolicy('hold')).thenNothing();
    given().when(askPolicy(null)).thenNothing();
  });

  it('leaves the switches alone, and they leave it', () => {
    const { policy, switches } = given(set('roll_dice', false), policySet('hold'), set('echo', true)).state;
    expect([policy, [...switches]]).toEqual(['hold', [['roll_dice', false], ['echo', true]]]);
  });
});
