import { describe, expect, it } from '@jest/globals';
import { Relisting } from '../../../src/mcp/client/listing/relisting.js';
import { manualTimers } from '../../support/dispatch/manualTimers.js';

describe('listing again because a server says that its tools changed', () => {
  it('is due after a change, and no more once it began', () => {
    const relisting = new Relisting(manualTimers().schedule);
    expect(relisting.due).toBe(false);
    relisting.changed();
    expect(relisting.due).toBe(true);
    relisting.begin();
    expect(relisting.due).toBe(false);
  });

  it('waits a second after the last time, and then happens once however often the server said so', () => {
    const timers = manualTimers();
    const relisting = new Relisting(timers.schedule);
    relisting.begin();
    for (let times = 0; times < 1_742; times += 1) relisting.changed();
    timers.elapse(999);
    expect(relisting.due).toBe(false);
    timers.elapse(1);
    expect(relisting.due).toBe(true);
    relisting.begin();
    timers.elapse(1_000);
    expect(relisting.due).toBe(false);
  });
});
