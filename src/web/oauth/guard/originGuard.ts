import type { MiddlewareHandler } from 'hono';
import { Fault } from '../../../platform/fault.js';
import { requestOrigin } from './requestOrigin.js';

/**
 * Lets through only requests for this server's own names, and posts only from its own pages: a page elsewhere cannot
 * press a button here, also under a name that it lets point to this machine. `null`, which sandboxed and data: pages
 * send, is elsewhere.
 * @param onForeign told of a post from elsewhere before it is refused
 * @throws Fault `not_this_host`, `foreign_origin`
 */
export function originGuard(publicOrigin: string | null, onForeign: (request: Request) => Promise<void>): MiddlewareHandler {
  return async (context, next) => {
    const origin = requestOrigin(context.req.header('host'), publicOrigin);
    if (origin === null) throw new Fault('failed', 'not_this_host', 'toolledger does not answer under this name. Open the link exactly as it was given to you.');
    const sender = context.req.header('origin');
    if (context.req.method === 'POST' && sender !== origin) {
      // Our own page, behind a proxy that hides which name it was asked by.
      if (sender === publicOrigin) throw new Fault('failed', 'foreign_origin', 'The proxy in front of toolledger asks for it under another name than the public one. Have it pass the Host header on, then open the link again.');
      await onForeign(context.req.raw);
      throw new Fault('failed', 'foreign_origin', 'This form was not sent by a page of toolledger. Open the link that was given to you, and use the button on its page.');
    }
    return next();
  };
}
