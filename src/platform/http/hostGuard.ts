import type { MiddlewareHandler } from 'hono';
import { isLoopbackHost } from './loopbackHost.js';

/** Whether an Origin header is absent, as from programs, or names a page served on the loopback interface. */
function isLoopbackOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const [scheme, host] = origin.split('://', 2);
  return (scheme === 'http' || scheme === 'https') && isLoopbackHost(host);
}

/** Answers 403 to what a web page elsewhere could send here, also under a name that it lets point to this machine. */
export const hostGuard: MiddlewareHandler = async (context, next) => {
  if (isLoopbackHost(context.req.header('host')) && isLoopbackOrigin(context.req.header('origin'))) return next();
  return context.json({ error: { code: 'not_loopback', message: 'Only programs on this machine may use this: Host must be 127.0.0.1, localhost or [::1], and Origin absent or the same.' } }, 403);
};
