import { describe, expect, it } from '@jest/globals';
import { maxErrorCharacters, redactError } from '../../../src/tools/redaction/redactError.js';

const githubKey = ['gh', 'p_', 'abcdefghijklmnopqrst0123456789'].join('');

describe('redactError', () => {
  it('keeps an ordinary message', () => {
    expect(redactError('ENOENT: no such file or directory, open /tmp/x')).toBe('ENOENT: no such file or directory, open /tmp/x');
  });

  it('removes secrets', () => {
    expect(redactError(`401 for https://a:tomato@example.com with ${githubKey}`)).toBe('401 for https://[redacted:url_userinfo]@example.com with [redacted:github]');
  });

  it('removes terminal sequences, control and invisible characters before it looks for secrets', () => {
    expect(redactError('\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u009b2Jx\r\ny\u0000\u202ez')).toBe('red x yz');
    expect(redactError(`gh\u0000p_\u001b[1m${githubKey.slice(4)}`)).toBe('[redacted:github]');
  });

  it('cuts at 500 code points and splits none', () => {
    const message = redactError('🎲'.repeat(600));
    expect(Array.from(message)).toHaveLength(maxErrorCharacters);
    expect(message.endsWith('🎲…')).toBe(true);
  });

  it('takes a message of 10 MB', () => {
    expect(Array.from(redactError('word '.repeat(2_000_000))).length).toBeLessThanOrEqual(maxErrorCharacters);
  });
});
