// Runs the official conformance suite of MCP: our client against its servers, and its clients against our endpoint.
// Needs a build. Prints what was found right in each scenario and why a check may fail, and ends with 1 when anything is not
// as expected.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFixtureServer } from '../test/conformance/fixtureServer.mjs';
import { authScenarios } from '../test/conformance/authScenarios.mjs';
import { expectedFailures } from '../test/conformance/expectedFailures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const suite = [
  '--import', fileURLToPath(new URL('../test/conformance/fsWithGlob.mjs', import.meta.url)),
  fileURLToPath(new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url)),
];
/** Measures time, and fails beside others. */
const timedScenario = 'sse-retry';
const clientScenarios = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults'];
const serverScenarios = ['server-initialize', 'ping', 'tools-list', 'tools-call-error', 'dns-rebinding-protection', 'json-schema-2020-12'];
const atOnce = 3;

const work = mkdtempSync(join(tmpdir(), 'conformance-'));
let wrong = 0;
try {
  await run(timedScenario, asClient('client.mjs', timedScenario));
  const fixtures = await startFixtureServer();
  const endpoint = await serve(fixtures.url);
  const shim = await bearerShim(endpoint);
  try {
    await allOf([
      ...clientScenarios.map((scenario) => () => run(scenario, asClient('client.mjs', scenario))),
      ...serverScenarios.map((scenario) => () => run(scenario, ['server', '--url', shim.url, '--scenario', scenario])),
      // By force, because some came with a later revision.
      ...Object.entries(authScenarios).map(([scenario, wanted]) => () => run(scenario, [...asClient('authClient.mjs', scenario), '--spec-version', '2025-11-25', '--force'], wanted)),
    ]);
  } finally {
    shim.close();
    await endpoint.stop();
    fixtures.stop();
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
say(wrong === 0 ? 'Everything is as expected.' : `${wrong} checks or scenarios are not as expected.`);
process.exitCode = wrong === 0 ? 0 : 1;

function asClient(file, scenario) {
  return ['client', '--command', `${process.execPath} ${join(root, 'test/conformance', file)}`, '--scenario', scenario, '--timeout', '30000'];
}

/** Works through tasks, a few at a time. */
async function allOf(tasks) {
  const left = tasks.values();
  const work = async () => {
    for (const task of left) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** @param wanted the checks that must have been made, and how the client must have fared */
async function run(scenario, args, { checks: needed = [], steps = null } = {}) {
  const out = join(work, scenario);
  const child = spawn(process.execPath, [...suite, ...args, '-o', out], { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  await once(child, 'close');
  const checks = oneOfEach(checksIn(out).filter(({ status }) => !['INFO', 'SKIPPED'].includes(status)));
  const right = checks.filter((check) => judge(scenario, check, printed)).map(({ id }) => id);
  if (checks.length === 0) report(false, scenario, 'no check was made', printed);
  for (const id of needed.filter((id) => !right.includes(id))) report(false, scenario, `${id} was not found right`, printed);
  if (right.length > 0) report(true, scenario, right.join(', '), '');
  if (steps !== null) judgeSteps(scenario, steps, out);
}

/** @returns whether it is right; one that fails as expected is not */
function judge(scenario, { id, status, errorMessage }, printed) {
  const expected = expectedFailures[scenario];
  if (expected?.checks.includes(id) !== true) {
    if (status !== 'SUCCESS') report(false, scenario, `${id} ${status}`, errorMessage ?? printed);
    return status === 'SUCCESS';
  }
  report(status === 'FAILURE', scenario, `${id} ${status} (expected: ${expected.reason})`, printed);
  return false;
}

function judgeSteps(scenario, steps, out) {
  const fared = textsIn(out, 'stdout.txt').join('').trim().split('\n').join(' ');
  report(fared === steps, scenario, `the client fared so: ${fared}`, `Expected: ${steps}\n${textsIn(out, 'stderr.txt').join('')}`);
}

/** Many are made at each request that they are about: of those that came out alike one is enough. */
function oneOfEach(checks) {
  return [...new Map(checks.map((check) => [`${check.id} ${check.status}`, check])).values()];
}

function report(asExpected, scenario, what, detail) {
  say(`${asExpected ? 'ok   ' : 'WRONG'} ${scenario}: ${what}`);
  if (asExpected) return;
  wrong += 1;
  if (detail !== '') say(detail);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function checksIn(folder) {
  return textsIn(folder, 'checks.json').flatMap((text) => JSON.parse(text));
}

function textsIn(folder, name) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(name))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Our own endpoint in a process of its own, on a data directory of its own, with a server registered. */
async function serve(fixtures) {
  const data = join(work, 'data');
  const bin = join(root, 'dist/program/app/bin.js');
  const child = spawn(process.execPath, [bin, 'serve', '--data', data], {
    env: { ...process.env, TOOLLEDGER_PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('/health')) break;
  }
  await command(bin, ['mcp', 'add', fixtures, '--name', 'fixtures', '--data', data]);
  return {
    port: Number(/MCP endpoint\s+http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1]),
    token: readFileSync(join(data, 'mcp-token'), 'utf8').trim(),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

async function command(bin, args) {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
}

/** The suite has no way to give a token: this adds it and passes everything else on as it came, Host and Origin too. */
async function bearerShim({ port, token }) {
  const server = createServer((incoming, outgoing) => {
    const forwarded = request(
      { host: '127.0.0.1', port, method: incoming.method, path: incoming.url, setHost: false, headers: { ...incoming.headers, authorization: `Bearer ${token}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://localhost:${server.address().port}/mcp`, close: () => server.closeAllConnections() || server.close() };
}
