import { describe, expect, it } from '@jest/globals';
import { callIdOf, checkCallId } from '../../../src/commands/toolCall/callId.js';

const call = { workspace: 'local', caller: 'subject-1', givenId: 'turn-7:0:1' };

describe('callIdOf', () => {
  it('gives the same stored id for the same workspace, caller and given id', () => {
    expect(callIdOf(call)).toBe('bb219bcbffa857f02adcf54f1a124c9d');
  });

  it('gives another id for another workspace, caller or given id', () => {
    const ids = [call, { ...call, workspace: 'g1' }, { ...call, caller: 'subject-2' }, { ...call, givenId: 'turn-7:0:2' }].map(callIdOf);
    expect(new Set(ids).size).toBe(4);
  });

  it('does not confuse where one part ends and the next begins', () => {
    expect(callIdOf({ workspace: 'a', caller: 'b","c', givenId: 'd' })).not.toBe(callIdOf({ workspace: 'a","b', caller: 'c', givenId: 'd' }));
    expect(callIdOf({ workspace: 'ab', caller: 'c', givenId: 'd' })).not.toBe(callIdOf({ workspace: 'a', caller: 'bc', givenId: 'd' }));
  });

  it('refuses a given id it would not store', () => {
    expect(() => callIdOf({ ...call, givenId: 'no spaces' })).toThrow('no spaces');
  });
});

describe('checkCallId', () => {
  it.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])('takes %s', (id) => {
    expect(() => checkCallId(id)).not.toThrow();
  });

  it.each(['', 'x'.repeat(129), 'a b', 'a/b', 'ä', 'a\n', '\u0000', '\ud800', '１'])('refuses %j, saying what is allowed', (id) => {
    expect(() => checkCallId(id)).toThrow(expect.objectContaining({ kind: 'usage', code: 'invalid_call_id', message: expect.stringContaining('1 to 128') }));
  });

  it('shows what was given without control characters and not at full length', () => {
    const given = `\u001b[31m${'ab '.repeat(1000)}`;
    expect(() => checkCallId(given)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('\u001b') }));
    expect(() => checkCallId(given)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('ab '.repeat(100)) }));
  });
});
