import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface EverythingServer {
  /** Where its MCP endpoint is. */
  readonly url: string;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url));

/** Starts the reference server over Streamable HTTP on a free port and waits until it listens. */
export async function startEverythingServer(): Promise<EverythingServer> {
  // The server cannot be asked which port it got, so a free one is chosen for it; somebody else may be quicker.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const child = spawn(process.execPath, [program, 'streamableHttp'], {
      env: { PATH: process.env['PATH'], PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    const listening = new Promise<true>((resolve) => {
      createInterface(child.stderr).on('line', (line) => {
        if (line.includes('listening on port')) resolve(true);
      });
    });
    const started = await Promise.race([listening, exited.then(() => false)]);
    if (started) {
      return {
        url: `http://127.0.0.1:${port}/mcp`,
        async stop() {
          child.kill('SIGKILL');
          await exited;
        },
      };
    }
    if (attempt === 3) throw new Error(`server-everything did not start on port ${port}.`);
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
