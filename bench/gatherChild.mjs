import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mcpServersDecider, mcpServersStream } from '../dist/commands/mcpServers/mcpServers.js';
import { workspaceDecider, workspaceStream } from '../dist/commands/workspace.js';
import { newId } from '../dist/platform/ids.js';
import { recordListing } from '../dist/tools/recordListing.js';
import { answer, given } from './child.mjs';
import { deadOrigin, startHangingServer, startManyServers } from './manyServers.mjs';
import { median, percentile, timed } from './measure.mjs';
import { openStack } from './stack.mjs';

const { directory } = given();
const workspaces = Array.from({ length: 100 }, (_, index) => `g${index + 1}`);
const perWorkspace = 5;
/** The servers of every fifth workspace are bad: by turns nobody listens, and nobody ever answers. */
const isBad = (index) => index % 5 === 4;
const never = new globalThis.AbortController().signal;
setMaxListeners(0, never);

const many = await startManyServers();
const hanging = await startHangingServer();
const dead = await deadOrigin();
const stack = await openStack(directory, { localOrigins: new Set([many.origin, hanging.origin, dead]) });
for (const [index, workspace] of workspaces.entries()) await furnish(workspace, index);
const healthy = workspaces.filter((_, index) => !isBad(index));
const bad = workspaces.filter((_, index) => isBad(index));

// The bad ones are gathered all the time, as turns in them would, and none of the healthy ones waits for that.
let stopping = false;
const others = (async () => {
  while (!stopping) {
    await Promise.all(bad.map((workspace) => stack.dispatch.gather(workspace, never)));
    await setTimeout(20);
  }
})();
for (const workspace of healthy) await turn(workspace);
const times = [];
for (let round = 0; round < 10; round += 1) for (const workspace of healthy) times.push(await timed(() => turn(workspace)));

await calls(1_000);
const before = heap();
const began = performance.now();
await calls(9_000);
const perSecond = Math.round(9_000 / ((performance.now() - began) / 1000));
const after = heap();
stopping = true;
await others;
await stack.close();
await Promise.all([many.stop(), hanging.stop()]);
answer({ gathers: { p50: median(times), p99: percentile(times, 0.99), most: Math.max(...times) }, memory: { before, after }, calls: perSecond });

async function furnish(workspace, index) {
  const origin = { ...stack.origin, workspace };
  await stack.handler.execute(workspaceDecider, workspaceStream(workspace), [{ type: 'Open', kind: 'guild' }], origin);
  for (let number = 0; number < perWorkspace; number += 1) {
    const serverId = newId();
    const where = !isBad(index) ? many.origin : number % 2 === 0 ? dead : hanging.origin;
    const url = `${where}/${index}_${number}`;
    const address = { scheme: 'http', host: '127.0.0.1', port: Number(new URL(where).port), credential: 'none' };
    await stack.secrets.put(serverId, { url, token: null });
    await stack.handler.execute(mcpServersDecider, mcpServersStream(workspace), [{ type: 'Register', serverId, name: `server-${number}`, kind: 'generic', limit: 10, ...address }], origin);
    if (isBad(index)) continue;
    const found = await stack.remote.probe({ url, token: null, workspace }, never);
    if (!found.ok) throw new Error(found.message);
    await recordListing(stack.handler, found.listing, serverId, origin);
  }
}

/** What a turn does before a model is asked. */
async function turn(workspace) {
  await stack.dispatch.gather(workspace, never);
  const { tools } = await stack.dispatch.declare(workspace, { subject: null, channel: null, roles: [] });
  const usable = tools.filter(({ available, subject }) => available && subject.kind === 'mcp').length;
  if (usable !== perWorkspace) throw new Error(`${workspace} has ${usable} tools of servers`);
}

async function calls(count) {
  for (let done = 0; done < count; done += 1) {
    const index = workspaces.indexOf(healthy[done % healthy.length]);
    const request = { tool: `note_${index}_${done % perWorkspace}`, arguments: { text: 'x' }, workspace: workspaces[index], callId: null, channel: null, roles: [], turn: null };
    const result = await stack.dispatch.call(request, stack.caller, never);
    if (!result.success) throw new Error(JSON.stringify(result));
  }
}

function heap() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1_048_576;
}
