// Becomes the owner of a data directory as the program does, says so, gets a plan on standard input, and then makes
// calls and appends side by side until it is killed. Each line it prints is one JSON document; whatever it says was
// done had been answered as done before.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { dataFiles } from '../../../dist/app/dataFiles.js';
import { startOwner } from '../../../dist/app/owner/owner.js';
import { withOwnership } from '../../../dist/app/owner/ownership.js';
import { workspaceDecider, workspaceStream } from '../../../dist/commands/workspace.js';
import { addMcpServer } from '../../../dist/operations/servers/registering/addMcpServer.js';
import { awaitViews } from '../../../dist/operations/views/awaitViews.js';
import { callTool } from '../../../dist/operations/calls/callTool.js';
import { runOperation } from '../../../dist/operations/runOperation.js';
import { readConfig } from '../../../dist/platform/config.js';
import { makeLog } from '../../../dist/platform/log.js';

const callers = 8;
const never = new globalThis.AbortController().signal;

const [directory] = process.argv.slice(2);
const session = {
  files: dataFiles(directory),
  config: readConfig({ TOOLLEDGER_DATA: directory }),
  log: makeLog({ level: 'silent', destination: process.stderr }),
  command: 'load',
  notice: () => undefined,
};
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

// Written at once, so that nothing said is lost with the process.
const say = (document) => writeSync(1, `${JSON.stringify(document)}\n`);

say({ phase: 'starting' });
await withOwnership(session, never, {
  owned: async () => {
    const owner = await startOwner(session);
    const caller = { actor: owner.operator, door: 'cli', onBehalfOf: null };
    const run = (operation, input) => runOperation(operation, owner.services, input, { caller, signal: never, progress: () => undefined });
    say({ phase: 'ready' });
    const plan = JSON.parse((await lines.next()).value);

    if (plan.server !== null) await run(addMcpServer, { url: plan.server, name: 'remote' });
    for (const given of plan.repeat) say({ repeated: given, answer: await run(callTool, callOf(given)) });
    if (plan.killAfterEvents !== null) killAfter(owner.services.store, plan.killAfterEvents);
    if (plan.load) await Promise.all(Array.from({ length: callers }, (_, index) => load(owner, run, plan.cycle, index)));
    await run(awaitViews, {});
    await owner.close();
    process.stdin.destroy();
  },
});

/** Calls and appends for ever, in an order that the caller's number decides. */
async function load(owner, run, cycle, index) {
  for (let round = 0; ; round += 1) {
    const given = `c-${cycle}-${index}-${round}`;
    const kind = (index + round) % 3;
    if (kind === 0) {
      const workspace = `g${cycle}${index}${String(round).padStart(5, '0')}`;
      const origin = { actor: owner.operator, door: 'cli', onBehalfOf: null, workspace, correlation: null, causation: null };
      const open = { type: 'Open', kind: 'guild' };
      await owner.services.handler.execute(workspaceDecider, workspaceStream(workspace), [open, { type: 'Close' }, open], origin);
      say({ appended: workspaceStream(workspace), events: 3 });
    } else {
      const call = kind === 1 ? `d-${given}` : `r-${given}`;
      const { callId, status } = await run(callTool, callOf(call));
      say({ called: call, callId, status });
    }
  }
}

/** The same call for the same id. */
function callOf(callId) {
  return callId.startsWith('d-')
    ? { tool: 'roll_dice', arguments: { notation: '2d6' }, callId }
    : { tool: 'plain', arguments: { call: callId }, callId };
}

/** Ends this process as by `kill -9` when so many events are durable, before anybody is told. */
function killAfter(store, events) {
  let first = null;
  store.onAppended((position) => {
    first ??= Number(position);
    if (Number(position) - first >= events) process.kill(process.pid, 'SIGKILL');
  });
}
