import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mcpServersDecider, mcpServersStream } from '../dist/commands/mcpServers/mcpServers.js';
import { newId } from '../dist/platform/ids.js';
import { recordListing } from '../dist/tools/recordListing.js';
import { startEverything } from './everything.mjs';
import { median, percentile, row, timed } from './measure.mjs';
import { callOnce, openStack } from './stack.mjs';

/** Rounds before anything counts, until the code that runs is compiled. */
const warmUp = 300;
const rounds = 200;

/** Bar 5: a call of an MCP server's tool through the ledger against the bare SDK client, both on a warm connection. */
export async function measure({ directory, note }) {
  note('MCP calls');
  const server = await startEverything();
  try {
    const stack = await openStack(directory('mcpCall'));
    const tool = await register(stack, server.url);
    const client = new Client({ name: 'bench', version: '0.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
    const works = {
      bare: (round) => client.callTool({ name: 'echo', arguments: { message: `message ${round}` } }),
      ledger: (round) => callOnce(stack, tool, { message: `message ${round}` }),
    };
    const times = { bare: [], ledger: [] };
    for (let round = 0; round < warmUp + rounds; round += 1) {
      for (const [name, once] of Object.entries(works)) {
        const took = await timed(() => once(round));
        if (round >= warmUp) times[name].push(took);
      }
    }
    await client.close();
    await stack.close();
    const details = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, { p50: median(values), p95: percentile(values, 0.95) }]));
    return [row(5, 'MCP call ÷ bare SDK client, p50', median(times.ledger) / median(times.bare), { most: 1.3, unit: '×', details })];
  } finally {
    await server.stop();
  }
}

/** Registers the server as the product does after it was tried. @returns the name under which its echo is called */
export async function register({ remote, handler, secrets, origin }, url) {
  const serverId = newId();
  const found = await remote.probe({ url, token: null, workspace: 'local' }, new globalThis.AbortController().signal);
  if (!found.ok) throw new Error(`server-everything could not be used: ${found.message}`);
  const { hostname, port } = new URL(url);
  const command = { type: 'Register', serverId, name: 'everything', kind: 'generic', scheme: 'http', host: hostname, port: Number(port), credential: 'none', limit: 10 };
  await secrets.put(serverId, { url, token: null });
  await handler.execute(mcpServersDecider, mcpServersStream('local'), [command], origin);
  await recordListing(handler, found.listing, serverId, origin);
  return found.listing.tools.find(({ remoteName }) => remoteName === 'echo').name;
}
