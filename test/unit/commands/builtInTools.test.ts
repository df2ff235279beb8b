import { describe, expect, it } from '@jest/globals';
import { builtInToolsDecider, type OfferedTools } from '../../../src/commands/builtInTools.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(builtInToolsDecider);
const dice: OfferedTools = [{ name: 'roll_dice', aliases: ['roll'], definition: 'a'.repeat(64), onByDefault: true }];
const reworded: OfferedTools = dice.map((tool) => ({ ...tool, definition: 'b'.repeat(64) }));
const said = (tools: OfferedTools) => ({ type: 'BuiltInToolsOffered', data: { tools } }) as const;
const offer = (tools: OfferedTools) => ({ type: 'Offer', tools }) as const;

describe('the built-in tools of the program', () => {
  it('are not known at first, which is not the same as none', () => expect(given().state.tools).toBeNull());

  it('are recorded at first, also when there are none', () => {
    given().when(offer(dice)).thenEvents(said(dice));
    given().when(offer([])).thenEvents(said([]));
  });

  it('are recorded when anything about them is new', () => given(said(dice)).when(offer(reworded)).thenEvents(said(reworded)));

  it('are recorded again when an older program comes back', () => given(said(dice), said(reworded)).when(offer(dice)).thenEvents(said(dice)));

  it('are not recorded again by the same program', () => given(said(reworded), said(dice)).when(offer(dice.map((tool) => ({ ...tool })))).thenNothing());
});
