import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  readonly origin: string;
  /** Cuts every connection. */
  stop(): Promise<void>;
}

/** Serves on a free port of this machine. */
export async function startLocalServer(listener: RequestListener): Promise<LocalServer> {
  const http = createServer(listener).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async stop() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}
