import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url));

/** Starts the reference MCP server over Streamable HTTP and waits until it listens. */
export async function startEverything() {
  const port = await freePort();
  const child = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const listening = new Promise((resolve) => {
    createInterface(child.stderr).on('line', (line) => {
      if (line.includes('listening on port')) resolve();
    });
  });
  await Promise.race([listening, exited.then(() => Promise.reject(new Error(`server-everything did not start on port ${port}`)))]);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
