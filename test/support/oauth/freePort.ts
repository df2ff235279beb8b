import { startLocalServer } from './servers/localServer.js';

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = await startLocalServer(() => undefined);
  await server.stop();
  return Number(new URL(server.origin).port);
}
