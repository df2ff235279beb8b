import { describe, expect, it } from '@jest/globals';
import { isPasswordName, isSecretName } from '../../../src/platform/scrub/secretNames.js';
import { plainNames, secretNames } from '../../support/plantedSecrets.js';

describe('isSecretName', () => {
  it.each(secretNames)('%s says secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(plainNames)('%s does not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  it('takes camel case, dashes, dots and full-width letters as the same name', () => {
    for (const name of ['apiKey', 'API_KEY', 'api-key', 'Api Key', 'config.api_key', 'ａｐｉＫｅｙ', 'OPENAI_API_KEY_2']) expect(isSecretName(name)).toBe(true);
  });

  it('does not look at names that are no names', () => {
    expect(isSecretName('password'.repeat(100))).toBe(false);
  });
});

describe('isPasswordName', () => {
  it('tells passwords, for which any word is believed, from tokens and keys', () => {
    expect(['password', 'db_pass', 'clientSecret', 'senha', 'パスワード'].map(isPasswordName)).toEqual([true, true, true, true, true]);
    expect(['token', 'apiKey', 'cookie'].map(isPasswordName)).toEqual([false, false, false]);
  });
});
