import { describe, expect, it } from '@jest/globals';
import { toolCallDecider, toolCallStream } from '../../../src/commands/toolCall/toolCall.js';
import { isSameCall } from '../../../src/commands/toolCall/toolCallState.js';
import { deciderSpec } from '../../support/deciderSpec.js';
import { commands, events } from '../../support/toolCalls.js';

const { given } = deciderSpec(toolCallDecider);
const { admit, refuse, succeed, fail, cancel, loseTrack, settle } = commands;
const { admitted, refused, succeeded, failed, cancelled, unknown, settled } = events;
const subject = 'subject-1';

describe('a tool call', () => {
  it('has a stream of its own', () => {
    expect(toolCallStream('4f')).toBe('toolCall-4f');
  });

  describe('that nobody has heard of', () => {
    it('is admitted', () => given().when(admit).thenEvents({ ...admitted, personal: [] }));

    it('is admitted with the arguments of the person it is for', () =>
      given()
        .when({ ...admit, subject: 'subject-2', personal: { arguments: { city: 'Kyoto' } } })
        .thenEvents({ ...admitted, personal: [{ subject: 'subject-2', values: { arguments: { city: 'Kyoto' } } }] }));

    it('is refused', () => given().when(refuse).thenEvents({ ...refused, personal: [{ subject, values: { toolName: 'rol_dice' } }] }));

    it.each([succeed, fail, cancel, loseTrack, settle])('cannot $type', (command) =>
      given().when(command).thenRefused({ code: 'not_admitted' }));
  });

  describe('that was admitted', () => {
    it.each([admit, refuse])('does not take a second $type', (command) =>
      given(admitted).when(command).thenRefused({ code: 'already_recorded' }));

    it('succeeds', () => given(admitted).when(succeed).thenEvents({ ...succeeded, personal: [{ subject, values: { preview: 'seven' } }] }));

    it('fails', () => given(admitted).when(fail).thenEvents({ ...failed, personal: [{ subject, values: { error: 'it broke' } }] }));

    it('is cancelled', () => given(admitted).when(cancel).thenEvents(cancelled));

    it('is lost track of', () => given(admitted).when(loseTrack).thenEvents({ ...unknown, personal: [] }));

    it('has nothing to settle yet', () => given(admitted).when(settle).thenRefused({ code: 'still_open' }));

    it('remembers what a repeat is compared with, and who runs it', () =>
      expect(given(admitted).state).toEqual({
        kind: 'open',
        call: { tool: 'roll_dice', argumentsDigest: 'a'.repeat(64), deadline: 60_000, runner: 'runner-1' },
      }));
  });

  describe('that was refused', () => {
    it.each([admit, refuse])('does not take a later $type', (command) =>
      given(refused).when(command).thenRefused({ code: 'already_recorded' }));

    it.each([succeed, fail, cancel, loseTrack, settle])('never ran and cannot $type', (command) =>
      given(refused).when(command).thenRefused({ code: 'was_refused' }));

    it('remembers the reasons', () =>
      expect(given(refused).state).toEqual({
        kind: 'refused',
        call: { tool: null, argumentsDigest: 'a'.repeat(64) },
        reasons: ['unknown_tool'],
        revision: 0,
      }));
  });

  describe.each([
    { how: 'succeeded', event: succeeded, code: null },
    { how: 'failed', event: failed, code: 'broken' },
    { how: 'cancelled', event: cancelled, code: 'caller' },
    { how: 'unknown', event: unknown, code: 'crash' },
  ] as const)('that ended as $how', ({ how, event, code }) => {
    const past = [admitted, event];

    it.each([succeed, fail, cancel, loseTrack])('has that one ending and cannot $type', (command) =>
      given(...past)
        .when(command)
        .thenRefused({ code: 'already_ended', how }));

    it.each([admit, refuse])('does not start again with $type', (command) =>
      given(...past)
        .when(command)
        .thenRefused({ code: 'already_recorded' }));

    it('remembers how, and where the ending lies', () =>
      expect(given(...past).state).toMatchObject({ kind: 'ended', ending: { how, code, revision: 1 }, settled: null }));

    if (how !== 'unknown') {
      it('has nothing to settle', () =>
        given(...past)
          .when(settle)
          .thenRefused({ code: 'outcome_known', how }));
    }
  });

  describe('with an unknown outcome', () => {
    it('is settled', () =>
      given(admitted, unknown)
        .when(settle)
        .thenEvents({ ...settled, personal: [{ subject, values: { because: 'the mail arrived' } }] }));

    it('is settled once', () =>
      given(admitted, unknown, settled).when(settle).thenRefused({ code: 'already_settled', verdict: 'succeeded' }));

    it('remembers both', () =>
      expect(given(admitted, unknown, settled).state).toMatchObject({
        ending: { how: 'unknown', revision: 1 },
        settled: { verdict: 'succeeded', source: 'person', revision: 2 },
      }));
  });
});

describe('isSameCall', () => {
  const same = { tool: 'roll_dice', argumentsDigest: 'a'.repeat(64) };

  it('is true for the same tool with the same arguments, running or ended', () => {
    expect(isSameCall(given(admitted).state, same)).toBe(true);
    expect(isSameCall(given(admitted, succeeded).state, same)).toBe(true);
  });

  it('is true for a refused call given again', () => {
    expect(isSameCall(given(refused).state, { tool: null, argumentsDigest: 'a'.repeat(64) })).toBe(true);
  });

  it.each([
    { what: 'another tool', given: { ...same, tool: 'echo' } },
    { what: 'other arguments', given: { ...same, argumentsDigest: 'b'.repeat(64) } },
    { what: 'arguments that were not readable', given: { ...same, argumentsDigest: null } },
    { what: 'a tool nobody knows', given: { ...same, tool: null } },
  ])('is false for $what', ({ given: other }) => {
    expect(isSameCall(given(admitted).state, other)).toBe(false);
  });

  it('is false when nothing is recorded', () => {
    expect(isSameCall(given().state, same)).toBe(false);
  });
});
