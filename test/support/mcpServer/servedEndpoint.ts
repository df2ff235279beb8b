import { mcpEndpoint, type McpEndpointOptions } from '../../../src/mcp/server/endpoint.js';
import { httpApp } from '../../../src/platform/http/httpApp.js';
import { openListener } from '../../../src/platform/http/listener.js';
import { healthRoutes } from '../../../src/web/health.js';

export const token = 'T'.repeat(43);

/** The endpoint served as the product serves it, on a free port. */
export interface ServedEndpoint {
  readonly port: number;
  readonly url: URL;
  /** Everything that was thrown and is not a Fault. */
  readonly internal: unknown[];
  close(): Promise<void>;
}

export async function serveEndpoint(offer: Partial<McpEndpointOptions>): Promise<ServedEndpoint> {
  const internal: unknown[] = [];
  const onInternalError = (error: unknown): void => void internal.push(error);
  let sessions = 0;
  const app = httpApp(onInternalError);
  const endpoint = mcpEndpoint({
    token,
    version: '1.2.3',
    workspace: 'local',
    newId: () => `session-${++sessions}`,
    listTools: async () => [],
    callTool: async () => ({ callId: 'stored', status: 'succeeded', success: true }),
    onInternalError,
    ...offer,
  });
  app.route('/', endpoint).route('/', healthRoutes('1.2.3', async () => ({ ledger: { ok: true } })));
  const listener = await openListener(app, 0);
  return { port: listener.port, url: new URL(`http://127.0.0.1:${listener.port}/mcp`), internal, close: () => listener.close(AbortSignal.abort()) };
}
