import { randomBytes, randomUUID } from 'node:crypto';
import { mcpEndpoint } from '../../mcp/server/endpoint.js';
import { mcpToken } from '../../mcp/server/token.js';
import { callTool } from '../../operations/calls/callTool.js';
import { declareTools } from '../../operations/tools/declareTools.js';
import type { Invocation } from '../../operations/operation.js';
import { runOperation } from '../../operations/runOperation.js';
import { diskSpace } from '../../platform/files/diskSpace.js';
import { httpApp } from '../../platform/http/httpApp.js';
import { openListener, type HttpListener } from '../../platform/http/listener.js';
import { healthRoutes, type HealthCheck } from '../../web/health.js';
import type { DataFiles } from '../dataFiles.js';
import type { OwnerProcess } from '../owner/owner.js';
import type { Session } from '../session.js';
import { orFault } from '../../operations/storeFault.js';
import { signInPages } from '../http/signInPages.js';
import { version } from '../version.js';
import { requestFailure } from '../http/requestFailure.js';

/** The workspace that MCP clients on this machine use. */
const workspace = 'local';

/** Opens the HTTP listener: MCP endpoint, health and version, and the pages of sign-ins where they have no port of their own. */
export async function openHttp(owner: OwnerProcess, { files, config, log }: Session): Promise<HttpListener> {
  const onInternalError = requestFailure(log);
  const invocation = (signal: AbortSignal, progress: Invocation['progress'] = () => undefined): Invocation => ({
    caller: { actor: owner.operator, door: 'mcp', onBehalfOf: null },
    signal,
    progress,
  });
  const pages = config.oauthPort === null ? signInPages({ services: owner.services, publicUrl: config.publicUrl, onInternalError }) : undefined;
  const app = httpApp(onInternalError, pages);
  app.route(
    '/',
    mcpEndpoint({
      token: mcpToken(files.mcpToken, randomBytes),
      newId: randomUUID,
      version,
      workspace,
      listTools: async (turn, signal) =>
        (await orFault(runOperation(declareTools, owner.services, { workspace, turn: turn ?? owner.operator }, invocation(signal)))).tools,
      callTool: (request, signal, onProgress) => orFault(runOperation(callTool, owner.services, request, invocation(signal, onProgress))),
      onInternalError,
    }),
  );
  app.route('/', healthRoutes(version, () => health(owner, files)));
  return openListener(app, config.port);
}

async function health({ services: { store, views } }: OwnerProcess, { directory }: DataFiles): Promise<Readonly<Record<string, HealthCheck>>> {
  const writable = store.writable();
  const { low, text } = diskSpace(directory);
  const troubled = (await views.status()).filter(({ phase }) => phase === 'halted').map(({ name }) => name);
  return {
    ledger: writable.ok ? { ok: true } : { ok: false, detail: `read-only: ${writable.cause}` },
    views: troubled.length === 0 ? { ok: true } : { ok: false, detail: `halted: ${troubled.join(', ')}` },
    // A warning and not a failure: everything still works.
    disk: low ? { ok: true, detail: `getting full: ${text}` } : { ok: true },
  };
}
