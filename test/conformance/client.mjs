// The client under test: the product's own MCP client, driven as each scenario of the conformance suite needs it.
import { defaultClientLimits } from '../../dist/mcp/client/limits.js';
import { makeRemoteTools } from '../../dist/mcp/client/remoteServers.js';
import { systemClock } from '../../dist/platform/time/clock.js';
import { systemResolve } from '../../dist/platform/net/guardedLookup.js';
import { scheduleInBackground } from '../../dist/platform/time/schedule.js';

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const server = { workspace: 'local', serverId: 'conformance', name: 'conformance' };
const signal = new globalThis.AbortController().signal;

const client = makeRemoteTools({
  lookup: async () => ({ url, token: null }),
  resolve: systemResolve,
  schedule: scheduleInBackground,
  clock: systemClock,
  reach: { localOrigins: new Set(), ownPorts: new Set() },
  limits: defaultClientLimits,
  version: '0.0.0',
});

/** What each scenario wants called, after connecting and listing. */
const calls = {
  initialize: [],
  tools_call: [['add_numbers', { a: 5, b: 3 }]],
  'elicitation-sep1034-client-defaults': [['test_client_elicitation_defaults', {}]],
  'sse-retry': [['test_reconnection', {}]],
};

const wanted = calls[scenario];
if (wanted === undefined) throw new Error(`Scenario ${scenario} is not one of ${Object.keys(calls).join(', ')}.`);
const connected = await client.connect(server, signal);
if (!connected.ok) throw new Error(`${connected.class}: ${connected.message}`);
for (const [name, args] of wanted) {
  const outcome = await client.call(server, name, args, { timeoutMs: 5_000, signal });
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
}
await client.close();
