import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface EverythingServer {
  /** Where its MCP endpoint is. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const everything = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url));
const proxy = fileURLToPath(new URL('../../node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs', import.meta.url));

/** Starts the reference server over Streamable HTTP on a free port and waits until it listens. */
export async function startEverythingServer(): Promise<EverythingServer> {
  const { port, stop } = await startOnFreePort((free) => node([everything, 'streamableHttp'], { PORT: String(free) }), 'listening on port');
  return { url: `http://127.0.0.1:${port}/mcp`, stop };
}

/** The reference server over HTTP with SSE, the transport of 2024-11-05. */
export async function startEverythingServerOverSse(): Promise<EverythingServer> {
  const { port, stop } = await startOnFreePort((free) => node([everything, 'sse'], { PORT: String(free) }), 'running on port');
  return { url: `http://127.0.0.1:${port}/sse`, stop };
}

/** The reference server over standard input and output, behind mcp-proxy, which offers both transports. */
export async function startProxiedEverythingServer(): Promise<{ readonly streamable: string; readonly sse: string; readonly stop: () => Promise<void> }> {
  const { port, stop } = await startOnFreePort(
    (free) => node([proxy, '--host', '127.0.0.1', '--port', String(free), '--', process.execPath, everything, 'stdio'], {}),
    'starting server on port',
  );
  return { streamable: `http://127.0.0.1:${port}/mcp`, sse: `http://127.0.0.1:${port}/sse`, stop };
}

function node(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  // A group of its own, so that what it starts ends with it.
  return spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
}

/** The servers cannot be asked which port they got, so a free one is chosen for them; somebody else may be quicker. */
async function startOnFreePort(start: (port: number) => ChildProcess, announcement: string): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const child = start(port);
    const exited = once(child, 'exit');
    const listening = new Promise<true>((resolve) => {
      for (const output of [child.stdout, child.stderr]) {
        if (output !== null) createInterface(output).on('line', (line) => line.includes(announcement) && resolve(true));
      }
    });
    const started = await Promise.race([listening, exited.then(() => false)]);
    if (started) {
      await accepts(port);
      return {
        port,
        async stop() {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
          await exited;
        },
      };
    }
    if (attempt === 3) throw new Error(`The server did not start on port ${port}.`);
  }
}

/** Some announce themselves before they listen: knocks until somebody opens. */
async function accepts(port: number): Promise<void> {
  for (;;) {
    const knock = connect(port, '127.0.0.1');
    const open = await Promise.race([once(knock, 'connect').then(() => true), once(knock, 'error').then(() => false)]).catch(() => false);
    knock.destroy();
    if (open) return;
  }
}

/** A port nobody listened on a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
