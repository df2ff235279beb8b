import { createHash, timingSafeEqual, type randomBytes } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { Fault } from '../../platform/fault.js';
import { createSecretFile, readSecretFile } from '../../platform/vault/secretFile.js';

/** 32 bytes in base64url. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/**
 * The bearer token of the MCP endpoint, made in a 0600 file at the first start. It is for the file only: never log it.
 * @throws Fault `bad_token_file` when the file holds something else; `cannot_read_secret`, `cannot_write_secret`
 */
export function mcpToken(file: string, random: typeof randomBytes | ((size: number) => Buffer)): string {
  const token = readSecretFile(file) ?? createSecretFile(file, random(32).toString('base64url'), random(8).toString('hex'));
  if (tokenForm.test(token)) return token;
  throw new Fault('failed', 'bad_token_file', `${file} does not hold a token (43 characters of base64url). Delete it, and a new one is made at the next start.`, { file });
}

/** Answers 401 unless the request carries the token. How long that takes tells nothing of the token. */
export function bearerGuard(token: string): MiddlewareHandler {
  const expected = digest(token);
  return async (context, next) => {
    const given = /^Bearer +([^ ]+) *$/i.exec(context.req.header('authorization') ?? '')?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return next();
    return context.json({ error: { code: 'unauthorized', message: `${given === undefined ? 'A bearer token is needed' : 'The bearer token is not the right one'}: it lies in the file mcp-token of the data directory.` } }, 401, {
      'WWW-Authenticate': 'Bearer',
    });
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
