import { startLocalServer } from './localServer.js';

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { origin, stop } = await startLocalServer(() => undefined);
  await stop();
  return Number(new URL(origin).port);
}
