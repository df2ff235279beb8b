import type { MiddlewareHandler } from 'hono';
import { contentSecurityPolicy } from './contentSecurityPolicy.js';

/**
 * `same-origin` and not `no-referrer`: with that a browser posts `Origin: null`. It tells other origins nothing, so no
 * link and no code leaves with a click.
 */
const headers = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const policyName = 'Content-Security-Policy';

/** Puts the headers on every answer, whatever made it; a policy that a page set for itself stays. */
export const strictHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  if (!context.res.headers.has(policyName)) context.res.headers.set(policyName, contentSecurityPolicy(null));
};
