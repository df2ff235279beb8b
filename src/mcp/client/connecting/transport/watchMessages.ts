import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isJSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Exchanges } from '../exchanges.js';

/**
 * Tells the exchanges which request goes out, which answer came, and that something came that is no message.
 * @returns resolves when nothing is being sent for which no answer is awaited, as word that a request was given up
 */
export function watchMessages(transport: Transport, exchanges: Exchanges): { readonly flushed: () => Promise<unknown> } {
  const send = transport.send.bind(transport);
  const unanswered = new Set<Promise<void>>();
  transport.send = (message, options) => {
    if (isJSONRPCRequest(message)) {
      exchanges.sending(message.id);
      return send(message, options);
    }
    const sending = send(message, options);
    unanswered.add(sending);
    const done = () => unanswered.delete(sending);
    sending.then(done, done);
    return sending;
  };
  transport.onmessage = (message) => {
    const exchange = 'id' in message && !('method' in message) ? exchanges.byRequestId(message.id) : undefined;
    if (exchange !== undefined) exchange.answered = true;
  };
  transport.onerror = (error) => {
    if (error.name === 'ZodError' || error.name === 'SyntaxError' || error instanceof z.ZodError) exchanges.garbled();
  };  return { flushed: () => Promise.allSettled(unanswered) };
}
