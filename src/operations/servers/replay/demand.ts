import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { AnyEvent } from '../../../events/catalogue/catalogue.js';

/** Reasons that failures alone led to, so that another policy may have spared them. */
const ofFailures: readonly string[] = ['server_quarantined', 'server_auto_disabled'];

export function isOfFailures(reason: string): boolean {
  return ofFailures.includes(reason);
}

/**
 * Whether an event shows that a server was needed: its tools were declared, or one was called.
 * @param server as it was then
 * @returns `turned_away` when its failures kept it from being used, null when the event says nothing of it
 */
export function demandFor({ serverId, name, discovery }: McpServer, known: AnyEvent): 'let_through' | 'turned_away' | null {
  if (known.type === 'ToolCallAdmitted') return known.data.route.kind === 'mcp' && known.data.route.serverId === serverId ? 'let_through' : null;
  if (known.type === 'ToolCallRefused') {
    const { route, reasons } = known.data;
    return route?.kind === 'mcp' && route.serverId === serverId && reasons.some(isOfFailures) ? 'turned_away' : null;
  }
  if (known.type !== 'ToolsDeclared') return null;
  const offered = new Map(discovery === 'unknown' ? [] : discovery.tools.map((tool) => [tool.name, tool.definition]));
  const { tools, leftOut, undiscovered } = known.data;
  const kept = leftOut.some((tool) => offered.has(tool.name) && tool.reasons.some(isOfFailures));
  if (kept || undiscovered.some(({ server, reason }) => server === name && isOfFailures(reason))) return 'turned_away';
  return tools.some((tool) => offered.get(tool.name) === tool.definition) ? 'let_through' : null;
}
