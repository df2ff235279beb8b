import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { EverythingServer } from './everythingServer.js';

/** A server of the newer SDK that speaks revision 2026-07-28 and nothing before it. */
export async function startModernOnlyServer(): Promise<EverythingServer> {
  const handler = createMcpHandler(() => new McpServer({ name: 'modern', version: '1.0.0' }), { legacy: 'reject' });
  const answer = toNodeHandler(handler);
  // A request to a server has a method and a URL; the type of Node is that of answers to clients, too.
  const http = createServer((request, response) => void answer(request as Parameters<typeof answer>[0], response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async stop() {
      await handler.close();
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}
