import { describe, expect, it } from '@jest/globals';
import { watchDisk } from '../../../src/app/serve/diskWatch.js';

describe('the watch on the disk', () => {
  it('warns once when room gets scarce, says when there is room again, and stops when told', () => {
    const said: string[] = [];
    const due: (() => void)[] = [];
    const rooms = [false, true, true, false, true];
    const log = { warn: (_: object, message: string) => said.push(`warn: ${message}`), info: (_: object, message: string) => said.push(`info: ${message}`) };
    const stop = watchDisk(
      '/somewhere',
      log,
      (_ms, run) => {
        due.push(run);
        return () => due.splice(due.indexOf(run), 1);
      },
      () => ({ low: rooms.shift() ?? false, text: '7 MiB free' }),
    );
    while (rooms.length > 0) due.shift()?.();
    expect(said).toEqual([
      'warn: the disk is getting full, 7 MiB free: the ledger turns read-only when it is; make room',
      'info: the disk has room again, 7 MiB free',
      'warn: the disk is getting full, 7 MiB free: the ledger turns read-only when it is; make room',
    ]);
    stop();
    expect(due).toEqual([]);
  });

  it('goes on when the disk cannot be looked at', () => {
    const due: (() => void)[] = [];
    const fail = (): never => {
      throw new Error('gone');
    };
    watchDisk('/somewhere', { warn: fail, info: fail }, (_ms, run) => (due.push(run), () => undefined), fail);
    expect(due).toHaveLength(1);
  });
});
