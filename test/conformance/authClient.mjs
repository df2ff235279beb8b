// The client under test: the product on a data directory of its own. It adds the suite's server, signs in there with a
// browser, lists the tools and calls one; told to sign in again, it does so once. Prints how each step ended as one word.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFiles } from '../../dist/app/dataFiles.js';
import { startOwner } from '../../dist/app/owner/owner.js';
import { doorAt, openSignInListener } from '../../dist/app/http/signInListener.js';
import { callTool } from '../../dist/operations/calls/callTool.js';
import { runOperation } from '../../dist/operations/runOperation.js';
import { listMcpServers } from '../../dist/operations/servers/listMcpServers.js';
import { addMcpServer } from '../../dist/operations/servers/registering/addMcpServer.js';
import { signInToMcpServer } from '../../dist/operations/servers/signIn/signInToMcpServer.js';
import { awaitViews } from '../../dist/operations/views/awaitViews.js';
import { readConfig } from '../../dist/platform/config.js';
import { Fault } from '../../dist/platform/fault.js';
import { makeLog } from '../../dist/platform/log.js';
import { authScenarios } from './authScenarios.mjs';
import { newFormBrowser } from './formBrowser.mjs';

const url = process.argv.at(-1);
const { metadataDocument = null } = authScenarios[process.env.MCP_CONFORMANCE_SCENARIO];
const { client_id: clientId = null, client_secret: clientSecret = null } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const server = { name: 'conformance', workspace: 'local' };
const tool = 'test-tool';

const directory = mkdtempSync(join(tmpdir(), 'conformance-data-'));
const config = readConfig({ TOOLLEDGER_DATA: directory, TOOLLEDGER_PORT: '0' });
const log = makeLog({ level: 'warn', destination: process.stderr });
const owner = await startOwner({ files: dataFiles(directory), config, log, command: 'conformance', notice: () => undefined }, 'here');
const pages = await openSignInListener(owner.services, config, (error) => log.error({ error }, 'a page failed'));
owner.guardPort(pages.port);
// The suite knows a document by one URL, at which it need not be.
owner.signInAt({ ...doorAt(pages.port, null, true), metadataDocument });
try {
  await run(addMcpServer, { url, ...server });
  for await (const step of steps(1)) process.stdout.write(`${step}\n`);
} finally {
  await pages.close(globalThis.AbortSignal.timeout(0));
  await owner.close();
  rmSync(directory, { recursive: true });
}

/** As far as it goes, from the beginning when that is asked for. */
async function* steps(signInsLeft) {
  for (const step of [signIn, list, call]) {
    const outcome = await step();
    yield outcome;
    if (outcome === 'needs_reauthorization' && signInsLeft > 0) yield* steps(signInsLeft - 1);
    if (!['signed_in', 'listed', 'called'].includes(outcome)) return;
  }
}

/** @returns `signed_in`, or why not */
async function signIn() {
  const stop = new globalThis.AbortController();
  const inBrowser = ({ link }) => void goThroughPages(link).catch((error) => stop.abort(error));
  const work = run(signInToMcpServer, { ...server, clientId, clientSecret }, { signal: stop.signal, progress: inBrowser });
  const outcome = await orFault(work.then(({ status, reason }) => reason ?? status));
  stop.signal.throwIfAborted();
  return outcome;
}

/** Our page, the authorization server that sends on at once, and our page again. */
async function goThroughPages(link) {
  const browser = newFormBrowser();
  await browser.submit(await browser.submit(await browser.open(link)));
}

/** What the sign-in found, as an admin is shown it. @returns `listed`, or why not */
async function list() {
  await run(awaitViews, {});
  const { servers } = await run(listMcpServers, { workspace: server.workspace });
  const [{ account, state, toolNames }] = servers;
  if (account.lapsed !== null) return 'needs_reauthorization';
  return toolNames?.includes(tool) === true ? 'listed' : state;
}

/** @returns `called`, or why not */
async function call() {
  const { success, error } = await run(callTool, { tool, arguments: {}, workspace: server.workspace });
  return success ? 'called' : (error.reasons?.[0] ?? error.code);
}

/** The code of a refusal; anything else is a crash. */
async function orFault(work) {
  return work.catch((error) => {
    if (error instanceof Fault) return error.code;
    throw error;
  });
}

function run(operation, input, { signal = new globalThis.AbortController().signal, progress = () => undefined } = {}) {
  const services = operation.reach === 'views' ? owner.viewServices : owner.services;
  return runOperation(operation, services, input, { caller: { actor: owner.operator, door: 'cli', onBehalfOf: null }, signal, progress });
}
