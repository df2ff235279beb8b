import type { CommandHandler, Recorded } from '../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers/mcpServers.js';
import { scopesMissing } from '../commands/mcpSignIn/mcpSignInState.js';
import { serverById } from '../commands/mcpServers/mcpServersState.js';
import type { McpServersEvent } from '../events/catalogue/mcpServers/mcpServers.js';
import type { McpSignInEvent } from '../events/catalogue/mcpSignIn.js';
import type { JsonObject } from '../platform/json.js';

type ServerEvent = McpServersEvent | McpSignInEvent;

interface News {
  readonly message: string;
  readonly fields: JsonObject;
}

export interface TellingParts {
  readonly handler: Pick<CommandHandler, 'load'>;
  readonly info: (fields: JsonObject, message: string) => void;
}

/** Tells operators, a line each, when a server goes out of use or comes back: who watches only the log learns of it too. */
export function tellOfServers({ handler, info }: TellingParts): (recorded: Recorded) => void {
  return ({ stream, workspace, events }) => {
    if (!stream.startsWith('mcpServers-') && !stream.startsWith('mcpSignIn-')) return;
    const about = events as readonly ServerEvent[];
    for (const event of about) {
      const news = newsOf(event);
      if (news === null || isOvertaken(event, about)) continue;
      const { serverId } = event.data;
      void nameOf(handler, workspace, serverId).then((server) => info({ server, workspace, ...news.fields }, news.message));
    }
  };
}

/** The failure for which a server is disabled leads to no quarantine any more. */
function isOvertaken({ type, data: { serverId } }: ServerEvent, together: readonly ServerEvent[]): boolean {
  return type === 'McpConnectionFailed' && together.some((other) => other.type === 'McpServerAutoDisabled' && other.data.serverId === serverId);
}

/** The id where the name cannot be read. */
async function nameOf(handler: TellingParts['handler'], workspace: string, serverId: string): Promise<string> {
  try {
    const { state } = await handler.load(mcpServersDecider, mcpServersStream(workspace));
    return (serverById(state, serverId) ?? state.removed.get(serverId))?.name ?? serverId;
  } catch {
    return serverId;
  }
}

/** Null for what is no news of whether a server is used. */
function newsOf({ type, data }: ServerEvent): News | null {
  if (type === 'McpConnectionFailed' && data.cooldownMs > 0) {
    return { message: data.counted ? 'an MCP server is quarantined' : 'an MCP server asked to wait', fields: { class: data.class, failures: data.streak, forMs: data.cooldownMs } };
  }
  if (type === 'McpServerAutoDisabled') return { message: 'an MCP server was disabled by itself', fields: { class: data.class, failures: data.failures } };
  if (type === 'McpServerParked') return { message: 'an MCP server is parked', fields: { reason: data.reason } };
  if (type === 'McpConnectionRecovered' || type === 'McpServerUnparked') return { message: 'an MCP server works again', fields: {} };
  if (type === 'McpSignInCompleted') return { message: 'an MCP server was signed in to', fields: {} };
  if (type === 'McpReauthorizationRequired' && data.reason === scopesMissing) return { message: 'the account at an MCP server is good, but too narrow for what was wanted', fields: { reason: data.reason } };
  if (type === 'McpReauthorizationRequired') return { message: 'the sign-in at an MCP server is no longer valid', fields: { reason: data.reason } };
  return null;
}
