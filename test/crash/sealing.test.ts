import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { openSealedLedger, origin } from '../support/sealing/sealedLedger.js';
import { Died, dyingAt } from '../support/sealing/stoppedSealer.js';

jest.setTimeout(180_000);

/** How many moments to die at are tried: by default a few far apart, all when `CRASH_STEPS` asks for more, because they cost little here. */
const most = process.env['CRASH_STEPS'] === undefined ? 4 : Infinity;

/** The first moment, the one when nothing is left to die in, and some between, before a step as often as after one. */
function sampled(moments: number): readonly number[] {
  const stride = Math.max(1, Math.ceil(moments / most));
  const odd = stride % 2 === 1 ? stride : stride + 1;
  const tried: number[] = [];
  for (let at = 0; at < moments; at += odd) tried.push(at);
  return [...tried, moments];
}

describe('a sealer that dies', () => {
  it.each([
    ['seal', ['keep key', 'write tiles', 'record', 'log checkpoint', 'publish checkpoint']],
    ['rotateKey', ['keep key', 'write tiles', 'record', 'log checkpoint', 'publish checkpoint', 'keep key', 'record', 'keep key', 'write tiles', 'record', 'log checkpoint', 'publish checkpoint']],
  ] as const)('at any moment of `%s` leaves nothing that the next one does not complete', async (act, steps) => {
    const moments = 2 * steps.length;
    for (const at of sampled(moments)) {
      const one = await openSealedLedger();
      await one.add(3);
      const dying = dyingAt(one, at);
      const done = await one.sealer(dying.parts)[act](origin).then(
        () => true,
        (error: unknown) => (error instanceof Died || (error as { code?: string }).code === 'seal_not_published' ? false : Promise.reject(error as Error)),
      );
      expect([at, done]).toEqual([at, at === moments]);
      if (done) expect(dying.steps).toEqual(steps);

      // What lies there now is never wrong, and the next seal completes it.
      expect([at, await one.loss()]).toEqual([at, null]);
      await one.add(1);
      const next = await one.sealer()[act](origin);
      expect([at, (await one.verify()).damage]).toEqual([at, null]);
      expect(readFileSync(join(one.seals, '1', 'checkpoint'), 'utf8')).toBe(next?.seal.checkpoint);
      const lines = readFileSync(one.checkpointLog, 'utf8').split('\n');
      expect([at, new Set(lines).size]).toEqual([at, lines.length]);
      await one.close();
      one.remove();
    }
  });
});
