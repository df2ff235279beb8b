import { createHash } from 'node:crypto';
import { sealBox } from '../dist/events/box.js';
import { below, seededIds, seededRandom, skewed } from './random.mjs';
import { textMaker } from './vocabulary.mjs';

/** When the made-up history begins, and the mean time between two of its steps, in milliseconds. */
export const historyBegins = Date.UTC(2026, 0, 5);
export const stepMs = 2_000;

/** Names that occur in the history; smaller indexes are more frequent. */
export const workspaces = ['local', ...Array.from({ length: 39 }, (_, index) => `g${100_000_000_000_000_000n + BigInt(index)}`)];
export const channels = Array.from({ length: 200 }, (_, index) => String(200_000_000_000_000_000n + BigInt(index)));
export const builtIns = ['roll_dice', 'web_search', 'web_fetch', 'remember', 'discord_search', 'summarise'];
export const servers = Array.from({ length: 30 }, (_, index) => ({
  serverId: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  name: `server-${index}`,
  // Those of the workspace `local` would be offered to every call that a benchmark makes.
  workspace: workspaces[1 + (index % (workspaces.length - 1))],
}));
export const refusalReasons = ['tool_off', 'workspace_closed', 'invalid_arguments', 'server_quarantined', 'rate_limited', 'user_blocked', 'definition_held'];
export const failureCodes = ['tool_error', 'not_found', 'rate_limited', 'refused_before_send', 'upstream_error', 'answer_too_large'];
export const unknownCauses = ['timeout', 'connection_lost', 'cancelled', 'crash'];

/**
 * A made-up life of the product as appends for the ledger's writer, without end and the same for the same people.
 * @param people subject ids with their keys
 * @param mix `mixed`: half of the events are pairs of admission and ending, the rest refusals, lost and settled calls
 *   and administration; `calls`: nothing but calls
 */
export function* history(people, mix) {
  const random = seededRandom(20_260_105);
  const ids = seededIds(random);
  const text = textMaker(7);
  const runner = ids(historyBegins);
  const revisions = new Map();
  const switches = new Map();
  let now = historyBegins;

  const envelope = (workspace, caller) => ({
    occurredAt: now,
    actor: caller?.actor ?? 'system',
    door: caller === null ? 'system' : caller.door,
    onBehalfOf: caller?.onBehalfOf ?? null,
    correlation: caller?.turn ?? null,
    causation: null,
    workspace,
    runner,
  });
  const event = (stream, type, data, common, personal = null) => {
    const id = ids(now);
    const owner = common.onBehalfOf ?? common.actor;
    const boxes = personal === null ? '' : JSON.stringify([[owner, sealBox(people.get(owner), { stream, eventId: id, subject: owner }, personal)]]);
    return { id, type, version: 1, data: JSON.stringify(data), boxes, ...common };
  };
  const append = (stream, ...events) => {
    const revision = revisions.get(stream);
    const single = stream.startsWith('toolCall-') || stream.startsWith('toolDefinition-');
    if (!single) revisions.set(stream, (revision ?? -1) + events.length);
    return { stream, expected: revision ?? 'noStream', events, now };
  };

  const subjects = [...people.keys()];
  const caller = () => {
    const onBehalfOf = subjects[1 + skewed(random, subjects.length - 1)];
    return { actor: subjects[0], onBehalfOf, door: random() < 0.7 ? 'discord' : 'mcp', turn: ids(now) };
  };
  const begun = (common) => {
    const remote = random() < 0.4;
    const server = servers[skewed(random, servers.length)];
    const workspace = remote ? server.workspace : workspaces[skewed(random, workspaces.length)];
    const route = remote
      ? { kind: 'mcp', serverId: server.serverId, serverName: server.name, remoteName: null, definition: digest(server.name) }
      : { kind: 'builtin' };
    const query = text(8);
    return {
      common: envelope(workspace, common),
      personal: { arguments: { query } },
      data: {
        tool: remote ? `${server.name}__${['search', 'read', 'write'][below(random, 3)]}` : builtIns[skewed(random, builtIns.length)],
        route,
        parameters: remote ? {} : { notation: `${1 + below(random, 9)}d${6 + below(random, 15)}`, limit: below(random, 50) },
        redaction: random() < 0.2 ? [{ path: 'query', rule: 'bearer_token' }] : [],
        argumentsDigest: digest(query),
        argumentsBytes: 2 + query.length,
        channel: random() < 0.8 ? channels[skewed(random, channels.length)] : null,
        basis: { workspace: 0, settings: below(random, 40), servers: below(random, 60) },
      },
    };
  };
  const admitted = (stream, { data, common, personal }) =>
    event(stream, 'ToolCallAdmitted', { ...data, deadline: now + 30_000 }, common, personal);
  const shape = () => ({ bytes: 100 + below(random, 4_000), kinds: ['text'], previewCut: random() < 0.2, redaction: [] });
  const ended = (stream, { common }) => {
    const durationMs = 5 + below(random, 4_000);
    if (random() < 0.85) return event(stream, 'ToolCallSucceeded', { durationMs, result: shape() }, common, { preview: text(16) });
    if (random() < 0.1) return event(stream, 'ToolCallCancelled', { durationMs, by: 'caller' }, common);
    const code = failureCodes[skewed(random, failureCodes.length)];
    return event(stream, 'ToolCallFailed', { durationMs, party: 'tool', code, result: null }, common, { error: text(10) });
  };
  const newCall = () => ({ stream: `toolCall-${digest(ids(now)).slice(0, 32)}`, call: begun(caller()) });

  const pair = function* () {
    const { stream, call } = newCall();
    // Half of the calls take so short that both events are one append, as with built-in tools.
    if (random() < 0.5) return yield append(stream, admitted(stream, call), ended(stream, call));
    yield append(stream, admitted(stream, call));
    now += below(random, stepMs);
    yield { ...append(stream, ended(stream, call)), expected: 0 };
  };
  const refusal = function* () {
    const { stream, call } = newCall();
    const reasons = [refusalReasons[skewed(random, refusalReasons.length)]];
    yield append(stream, event(stream, 'ToolCallRefused', { ...call.data, reasons, conflictsWith: null }, call.common, { ...call.personal, detail: text(6) }));
  };
  const lost = function* () {
    const { stream, call } = newCall();
    yield append(stream, admitted(stream, call));
    const cause = unknownCauses[skewed(random, unknownCauses.length)];
    yield { ...append(stream, event(stream, 'ToolCallOutcomeUnknown', { durationMs: 30_000, cause }, call.common, { error: text(8) })), expected: 0 };
    if (random() < 0.9) {
      const settled = { verdict: random() < 0.5 ? 'succeeded' : 'failed', source: 'person', result: null };
      yield { ...append(stream, event(stream, 'ToolCallOutcomeSettled', settled, call.common, { because: text(8) })), expected: 1 };
    }
  };
  const administration = function* () {
    const server = servers[below(random, servers.length)];
    const workspace = workspaces[1 + below(random, workspaces.length - 1)];
    const admin = { actor: subjects[0], onBehalfOf: null, door: 'cli', turn: null };
    const kind = random();
    if (kind < 0.5) {
      const stream = `toolSettings-${workspace}`;
      const tool = builtIns[below(random, builtIns.length)];
      const on = switches.get(workspace + tool) !== true;
      switches.set(workspace + tool, on);
      yield append(stream, event(stream, 'ToolSwitchSet', { tool, on }, envelope(workspace, admin)));
    } else if (kind < 0.8) {
      const stream = `mcpServers-${server.workspace}`;
      const common = envelope(server.workspace, admin);
      yield append(stream, event(stream, 'McpServerDisabled', { serverId: server.serverId }, common));
      yield append(stream, event(stream, 'McpServerEnabled', { serverId: server.serverId }, common));
    } else if (kind < 0.85) {
      yield discovery(server);
    } else {
      const stream = `toolRefusals-${workspace}`;
      const counts = { [refusalReasons[below(random, refusalReasons.length)]]: 60 + below(random, 500) };
      const data = { caller: subjects[1 + skewed(random, subjects.length - 1)], since: now - 60_000, counts, total: Object.values(counts)[0] };
      yield append(stream, event(stream, 'ToolCallRefusalsCounted', data, envelope(workspace, null)));
    }
  };
  const discovery = (server) => {
    const stream = `mcpServers-${server.workspace}`;
    const tools = ['search', 'read', 'write'].map((name) => ({ name: `${server.name}__${name}`, remoteName: name, definition: digest(`${server.name}${name}${now}`) }));
    return append(stream, event(stream, 'McpToolsDiscovered', { serverId: server.serverId, tools, skipped: [] }, envelope(server.workspace, null)));
  };
  const beginning = function* () {
    for (const workspace of workspaces) {
      const stream = `workspace-${workspace}`;
      yield append(stream, event(stream, 'WorkspaceOpened', { kind: workspace === 'local' ? 'local' : 'guild' }, envelope(workspace, null)));
    }
    for (const server of servers) {
      const stream = `mcpServers-${server.workspace}`;
      const registered = { serverId: server.serverId, name: server.name, kind: 'generic', scheme: 'https', host: `${server.name}.example`, port: 443, credential: 'none' };
      yield append(stream, event(stream, 'McpServerRegistered', registered, envelope(server.workspace, null)));
      yield discovery(server);
    }
  };

  yield* beginning();
  for (;;) {
    now += 1 + below(random, 2 * stepMs);
    const kind = random();
    // Shares of steps; a pair is two events, a lost call almost three, administration 1.3.
    if (mix === 'calls') yield* kind < 0.8 ? pair() : kind < 0.97 ? refusal() : lost();
    else yield* kind < 0.378 ? pair() : kind < 0.6 ? refusal() : kind < 0.65 ? lost() : administration();
  }
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}
