import { commandIn } from './commandIn.js';
import { completeCommands } from './completeCommands.js';
import type { OutOfUse, ServerFacts, ToolSubject } from './facts.js';
import { outOfUseText } from './outOfUseText.js';
import { reasonText, type ReasonCode } from './reasons.js';
import type { World } from './world.js';

/**
 * Says why a tool may not be used, where the facts tell more than the reason alone: until when its server is left alone,
 * which other servers use its name, and what to type.
 */
export function explain(subject: ToolSubject, reason: ReasonCode, world: World): string {
  const { workspace } = world.facts;
  const server = subject.kind === 'builtin' ? null : subject.serverName;
  const sentence = completeCommands(reasonText(reason), { workspace, server, tool: subject.name });
  if (subject.kind === 'builtin') return sentence;
  if (reason === 'name_collision') return collisionText(subject, world);
  const out = world.server(subject.serverId)?.outOfUse ?? null;
  return out?.reason === reason ? outOfUseText(out, workspace, subject.serverName) : sentence;
}

/** A server keeps its names while it is out of use: otherwise another one could take them over whenever it is down. */
function collisionText({ name, serverId }: ToolSubject & { readonly kind: 'mcp' }, world: World): string {
  const others = world.offering(name).filter((server) => server.serverId !== serverId);
  const [other] = others;
  if (other === undefined) return reasonText('name_collision');
  const named = others.map(({ name: server, outOfUse }) => (outOfUse === null ? server : `${server} (${outText(outOfUse)}; its names stay taken)`));
  return `${others.length === 1 ? 'Server' : 'Servers'} ${named.join(', ')} ${others.length === 1 ? 'offers' : 'offer'} a tool of this name too, so none of them is used. ${wayOut(other, name, world.facts.workspace)}`;
}

function wayOut({ name: server }: ServerFacts, tool: string, workspace: string): string {
  return `Keep one: \`${commandIn(workspace, `mcp tool off ${server} ${tool}`)}\`, or for the whole server \`${commandIn(workspace, `mcp disable ${server}`)}\`.`;
}

function outText({ reason, until }: OutOfUse): string {
  if (until !== null) return `${reason === 'server_rate_limited' ? 'asked to wait' : 'quarantined'} until ${new Date(until).toISOString()}`;
  return reason === 'server_credential_deleted' ? 'without an address' : `parked: ${reason.replace(/^server_/, '')}`;
}
