import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Hono } from 'hono';
import { hostGuard } from '../../platform/http/hostGuard.js';
import { maxBodyBytes } from '../../platform/http/httpApp.js';
import type { NewId } from '../../platform/ids.js';
import { requestServer, type McpOffer } from './requestServer.js';
import { runningCalls } from './runningCalls.js';
import { bearerGuard } from './token.js';

const sessionHeader = 'mcp-session-id';

/** What the endpoint needs beside what it offers. */
export interface McpEndpointOptions extends McpOffer {
  readonly token: string;
  /** Names sessions; must not be guessed, so random. */
  readonly newId: NewId;
}

/**
 * MCP over Streamable HTTP at `POST /mcp`, for any client that has the token: first the host and origin (403), then
 * the token (401), then MCP. Each request stands alone. The session id a client gets says which calls are its own to
 * cancel and in what turn they are; nothing is kept for it and any id is taken.
 *
 * A client may set `_meta["toolledger/callId"]` (1–128 of `A-Za-z0-9._:-`; a repeat is answered and not run again) and
 * `_meta["toolledger/turn"]`. Closing the connection of a call cancels it.
 */
export function mcpEndpoint({ token, newId, ...offer }: McpEndpointOptions): Hono {
  const running = runningCalls();
  const app = new Hono();
  app.use('/mcp', hostGuard, bearerGuard(token));
  app.post('/mcp', async (context) => {
    const session = sessionOf(context.req.header(sessionHeader));
    const server = requestServer(offer, running, session);
    const transport = new WebStandardStreamableHTTPServerTransport({ maxRequestBodySize: maxBodyBytes });
    await server.connect(transport);
    context.req.raw.signal.addEventListener('abort', () => void server.close());
    const response = await transport.handleRequest(context.req.raw);
    if (session === null && response.ok) response.headers.set(sessionHeader, newId());
    return response;
  });
  app.all('/mcp', (context) =>
    context.json({ error: { code: 'method_not_allowed', message: 'Only POST is offered here: there is no stream to listen to and no session to end.' } }, 405, { Allow: 'POST' }),
  );
  return app;
}

function sessionOf(header: string | undefined): string | null {
  return header !== undefined && /^[\x21-\x7e]{1,128}$/.test(header) ? header : null;
}
