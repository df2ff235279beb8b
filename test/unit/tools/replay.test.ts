import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/platform/json.js';
import { replayedAnswer } from '../../../src/tools/dispatch/repeating/replay.js';
import { events } from '../../support/toolCalls.js';

const withText = <Event>(event: Event, personal: JsonObject | null) => ({ ...event, personal });
const admitted = withText(events.admitted, null);

describe('answering a call from its record', () => {
  it('says that it is in progress while it has no ending', () => {
    expect(replayedAnswer([admitted])).toMatchObject({ status: 'in_progress', success: false });
    expect(replayedAnswer([admitted])).not.toHaveProperty('replayed');
  });

  it.each([
    ['a success', [admitted, withText(events.succeeded, { preview: 'seven' })], { status: 'succeeded', success: true, data: 'seven' }],
    ['a success whose text is gone', [admitted, withText(events.succeeded, null)], { status: 'succeeded', success: true }],
    ['a failure', [admitted, withText(events.failed, { error: 'it broke' })], { status: 'failed', error: { code: 'broken', message: 'it broke' } }],
    ['a failure whose text is gone', [admitted, withText(events.failed, null)], { status: 'failed', error: { code: 'broken', message: 'Its text is not kept any more.' } }],
    ['a cancellation', [admitted, withText(events.cancelled, null)], { status: 'cancelled', error: { code: 'cancelled' } }],
    ['an unknown outcome', [admitted, withText(events.unknown, null)], { status: 'unknown', error: { code: 'outcome_unknown', reasons: ['crash'] } }],
    ['an outcome settled as a success', [admitted, withText(events.unknown, null), withText(events.settled, { because: 'the mail arrived' })], { status: 'succeeded', success: true }],
    ['a refusal', [withText(events.refused, { detail: 'Did you mean roll_dice?' })], { status: 'refused', error: { code: 'unknown_tool', message: 'Did you mean roll_dice?', reasons: ['unknown_tool'] } }],
  ])('gives %s again', (_what, recorded, answer) => {
    expect(replayedAnswer(recorded)).toMatchObject({ ...answer, replayed: true });
  });
});
