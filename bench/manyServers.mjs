import { createServer } from 'node:http';
import { once } from 'node:events';

const tool = { name: 'note', description: 'Takes a note.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };

const answers = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } }),
  'tools/list': (path) => ({ tools: [{ ...tool, name: `note_${path}` }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'noted' }] }),
};

/** One HTTP listener that is as many MCP servers as there are paths: each offers one tool, named after its path. */
export async function startManyServers() {
  const http = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(body);
      const result = answers[method]?.(request.url.slice(1));
      if (result === undefined) response.writeHead(202).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  http.keepAliveTimeout = 600_000;
  return listening(http);
}

/** A server that takes connections and never says anything. */
export async function startHangingServer() {
  return listening(createServer(() => undefined));
}

/** An origin at which nobody listens. */
export async function deadOrigin() {
  const { origin, stop } = await listening(createServer());
  await stop();
  return origin;
}

async function listening(http) {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    origin: `http://127.0.0.1:${http.address().port}`,
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
