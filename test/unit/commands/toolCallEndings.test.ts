import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toolCallDecider, type ToolCallCommand } from '../../../src/commands/toolCall/toolCall.js';
import type { ToolCallEvent } from '../../../src/events/catalogue/toolCall.js';
import { placeAt } from '../../support/deciderSpec.js';
import { commands } from '../../support/toolCalls.js';

const anyCommands = fc.array(fc.constantFrom<ToolCallCommand>(...Object.values(commands)), { maxLength: 30 });

/** Everything that is recorded when these commands come one after another. */
function history(asked: readonly ToolCallCommand[]): ToolCallEvent['type'][] {
  const types: ToolCallEvent['type'][] = [];
  let state = toolCallDecider.initialState();
  for (const command of asked) {
    const decision = toolCallDecider.decide(command, state);
    if (decision.kind === 'refused') continue;
    for (const event of decision.events) {
      state = toolCallDecider.evolve(state, event, placeAt(types.length));
      types.push(event.type);
    }
  }
  return types;
}

describe('whatever is asked of a call, in any order', () => {
  it('its history is one of those a call can have', () => {
    const possible = /^$|^Refused$|^Admitted(,(Succeeded|Failed|Cancelled|OutcomeUnknown(,OutcomeSettled)?))?$/;
    fc.assert(
      fc.property(anyCommands, (asked) => {
        expect(history(asked).map((type) => type.replace('ToolCall', '')).join()).toMatch(possible);
      }),
    );
  });

  it('every accepted command changes how the call stands, so nothing is recorded twice', () => {
    fc.assert(
      fc.property(anyCommands, (asked) => {
        const types = history(asked);
        expect(new Set(types).size).toBe(types.length);
      }),
    );
  });
});
