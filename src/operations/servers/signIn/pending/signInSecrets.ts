import { createHash, timingSafeEqual } from 'node:crypto';

/** 256 random bits, as they can stand in a URL. */
export function newSignInSecret(randomBytes: (size: number) => Buffer): string {
  return randomBytes(32).toString('base64url');
}

/** By which a secret is known again that is not kept. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether two secrets are the same; how long it takes tells nothing. */
export function isSame(given: string | null, known: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(known)];
  return a.length === b.length && timingSafeEqual(a, b);
}
