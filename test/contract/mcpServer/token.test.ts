import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mcpToken } from '../../../src/mcp/server/token.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'token-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const file = () => join(directory, 'mcp-token');

describe('the bearer token', () => {
  it('is 32 random bytes in a file for its owner only, made once', () => {
    const token = mcpToken(file(), randomBytes);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(readFileSync(file(), 'utf8')).toBe(`${token}\n`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['mcp-token']);
    expect(mcpToken(file(), randomBytes)).toBe(token);
  });

  it('is another one in another directory', () => {
    expect(mcpToken(file(), randomBytes)).not.toBe(mcpToken(join(directory, 'other'), randomBytes));
  });

  it.each(['', 'short', 'x'.repeat(44), `${'x'.repeat(42)}\n\n${'y'.repeat(42)}`])('is not taken from a file that holds %j, which is not shown', (content) => {
    writeFileSync(file(), content);
    const attempt = () => mcpToken(file(), randomBytes);
    expect(attempt).toThrow(expect.objectContaining({ code: 'bad_token_file', details: { file: file() } }));
    if (content !== '') expect(attempt).not.toThrow(content);
    expect(readFileSync(file(), 'utf8')).toBe(content);
  });
});
