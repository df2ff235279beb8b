import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { Fault } from '../fault.js';

const loopback = '127.0.0.1';

/** A client has so long for its headers and for its whole request, in milliseconds. Answers may take as long as they need. */
const headersTimeout = 10_000;
const connectionsCheckingInterval = 2_000;
const requestTimeout = 60_000;

/** An HTTP server on the loopback interface. */
export interface HttpListener {
  /** The port it really has. */
  readonly port: number;
  /**
   * Takes no more connections, lets running requests finish, and closes.
   * @param deadline when it aborts, what is still open is cut
   */
  close(deadline: AbortSignal): Promise<void>;
}

/**
 * Serves `app` on 127.0.0.1.
 * @param port 0 for any free one
 * @param setting where the port is set
 * @throws Fault `port_in_use` or `cannot_listen` (details port)
 */
export async function openListener(app: Hono, port: number, setting = 'TOOLLEDGER_PORT'): Promise<HttpListener> {
  // The adapter would put its own Request and Response in place of the global ones, which others compare with.
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  let closing = false;
  const open = new Set<Socket>();
  const busy = new Map<Socket, IncomingMessage>();
  const server = createServer({ headersTimeout, requestTimeout, connectionsCheckingInterval }, (request, response) => {
    busy.set(request.socket, request);
    response.once('close', () => {
      busy.delete(request.socket);
      // A kept-alive connection that was busy when the server closed.
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    void answer(request, response);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await listen(server, port, setting);
  // After it listens nothing more than a failed accept comes here; the client sees that itself.
  server.on('error', () => undefined);

  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    close: async (deadline) => {
      closing = true;
      server.close();
      // Who has not sent a whole request yet is not waited for.
      for (const socket of open) if (busy.get(socket)?.complete !== true) socket.destroy();
      const cut = (): void => server.closeAllConnections();
      if (deadline.aborted) cut();
      deadline.addEventListener('abort', cut, { once: true });
      await closed;
      deadline.removeEventListener('abort', cut);
    },
  };
}

function listen(server: Server, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(port, setting, error)));
    server.listen(port, loopback, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function cannotListen(port: number, setting: string, error: NodeJS.ErrnoException): Fault {
  const cause = error.code ?? 'unknown error';
  const details = { port, cause };
  return cause === 'EADDRINUSE'
    ? new Fault('failed', 'port_in_use', `Port ${port} on ${loopback} is in use by another program. Stop that program, or choose another port with ${setting} (0 takes any free one).`, details, { cause: error })
    : new Fault('failed', 'cannot_listen', `Port ${port} on ${loopback} cannot be opened (${cause}). Choose another port with ${setting} (0 takes any free one).`, details, { cause: error });
}
