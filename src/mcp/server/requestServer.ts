import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CancelledNotificationSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { Fault } from '../../platform/fault.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { CallAnswer, CallRequest } from '../../tools/call.js';
import { callRequest, callToolRequest } from './callRequest.js';
import { callResult, thirdPartyMeta } from './callResult.js';
import { progressOf } from './progress.js';
import type { RunningCalls } from './runningCalls.js';

/** A tool as a client is shown it. */
interface ListedTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The MCP server it is a tool of; null for our own. */
  readonly thirdParty: string | null;
}

/** What the endpoint offers. The caller is fixed in the two functions; nothing a client sends changes it. */
export interface McpOffer {
  /** The product's version. */
  readonly version: string;
  /** The workspace that every call is for. */
  readonly workspace: string;
  /** @param turn that stands for the client's session, or null */
  readonly listTools: (turn: string | null, signal: AbortSignal) => Promise<readonly ListedTool[]>;
  readonly callTool: (request: CallRequest, signal: AbortSignal, onProgress: (progress: JsonValue) => void) => Promise<CallAnswer>;
  /** Told of everything these two threw that is not a Fault. */
  readonly onInternalError: (error: unknown) => void;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An MCP server for one HTTP request. What the two functions throw reaches the client as a Fault's words or not at all. */
export function requestServer(offer: McpOffer, running: RunningCalls, session: string | null): McpServer {
  const mcp = new McpServer({ name: 'toolledger', version: offer.version }, { capabilities: { tools: {} } });
  // Its own tool registry would turn our schemas into others; the handlers below are the protocol's.
  const { server } = mcp;
  // Only in the form sessions are given out: a turn is stored in clear.
  const turn = session !== null && uuid.test(session) ? session : null;

  server.setRequestHandler(ListToolsRequestSchema, async (_request, { signal }) => {
    try {
      return { tools: (await offer.listTools(turn, signal)).map(listed) };
    } catch (error) {
      const fault = shown(error, offer);
      throw new McpError(ErrorCode.InternalError, `${fault.code}: ${fault.message}`);
    }
  });

  server.setRequestHandler(callToolRequest, async (request, { signal, requestId, sendNotification }): Promise<CallToolResult> => {
    const asked = callRequest(request, offer.workspace, turn);
    const onProgress = progressOf(request.params._meta?.progressToken, sendNotification);
    try {
      return callResult(await running.run(session, requestId, signal, (either) => offer.callTool(asked, either, onProgress)));
    } catch (error) {
      const { code, message } = shown(error, offer);
      return { isError: true, content: [{ type: 'text', text: `${code}: ${message}` }], structuredContent: { error: { code, message } } };
    }
  });

  server.setNotificationHandler(CancelledNotificationSchema, ({ params }) => {
    if (params.requestId !== undefined) running.cancel(session, params.requestId);
  });
  return mcp;
}

function listed({ name, title, description, inputSchema, thirdParty }: ListedTool): Tool {
  // The schema goes out as it was registered; the SDK checks none of it here.
  return {
    name,
    ...(title !== null && { title }),
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(thirdParty !== null && { _meta: { [thirdPartyMeta]: thirdParty } }),
  };
}

function shown(error: unknown, { onInternalError }: McpOffer): Fault {
  if (error instanceof Fault) return error;
  onInternalError(error);
  return new Fault('failed', 'internal_error', 'Something went wrong inside; the log of toolledger says what.');
}
