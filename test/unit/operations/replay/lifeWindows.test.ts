import { describe, expect, it } from '@jest/globals';
import { timeIn, windowsOf } from '../../../../src/operations/servers/replay/lifeWindows.js';
import { failedOnce, hour, minute, onRecord, plainly, registered, serverId, type Told } from '../../../support/serverLife.js';

const parked = { type: 'McpServerParked', data: { serverId, reason: 'needs_sign_in' } } as const;
const autoDisabled = { type: 'McpServerAutoDisabled', data: { serverId, class: 'timeout', failures: 2, failingSince: 0 } } as const;

/** Windows as `state from-to`, in minutes. */
function windows(until: number, ...events: readonly Told[]): readonly string[] {
  const life = onRecord(...events.map(([time, known]) => [time * minute, known] as const));
  return windowsOf(life, until * minute).map(({ state, from, to }) => `${state} ${from / minute}-${to === null ? '' : to / minute}`);
}

describe('how a server stood', () => {
  it('is enabled from its registration on', () => {
    expect(windows(9, [1, registered()])).toEqual(['enabled 1-']);
  });

  it('is quarantined as long as each failure says, and not longer for what happens meanwhile', () => {
    const events: readonly Told[] = [[0, registered()], [1, failedOnce(1, 5 * minute)], [3, plainly('McpSessionExpired')], [8, failedOnce(2, 10 * minute)]];
    expect(windows(30, ...events)).toEqual(['enabled 0-1', 'quarantined 1-6', 'enabled 6-8', 'quarantined 8-18', 'enabled 18-']);
  });

  it('goes on being quarantined at a moment before the end of it', () => {
    const events: readonly Told[] = [[0, registered()], [1, failedOnce(1, 5 * minute)]];
    expect(windows(5, ...events)).toEqual(['enabled 0-1', 'quarantined 1-']);
    expect(windows(6, ...events)).toEqual(['enabled 0-1', 'quarantined 1-6', 'enabled 6-']);
  });

  it('ends a quarantine with a recovery, or when somebody enables or disables it', () => {
    const failing: readonly Told[] = [[0, registered()], [1, failedOnce(1, 5 * minute)]];
    expect(windows(9, ...failing, [2, plainly('McpConnectionRecovered')])).toEqual(['enabled 0-1', 'quarantined 1-2', 'enabled 2-']);
    expect(windows(9, ...failing, [2, plainly('McpServerDisabled')], [4, plainly('McpServerEnabled')])).toEqual(['enabled 0-1', 'quarantined 1-2', 'disabled 2-4', 'enabled 4-']);
  });

  it('is rate limited while it asked to wait, which is no quarantine', () => {
    const wait = failedOnce(0, minute, { class: 'rate_limited', counted: false });
    expect(windows(9, [0, registered()], [1, wait])).toEqual(['enabled 0-1', 'rate_limited 1-2', 'enabled 2-']);
  });

  it('is parked until it is not, also while it is looked at once a day', () => {
    expect(windows(5000, [0, registered()], [1, parked], [1441, parked], [2000, plainly('McpServerUnparked')])).toEqual(['enabled 0-1', 'parked 1-2000', 'enabled 2000-']);
  });

  it('is disabled by itself in the moment of the last failure', () => {
    const events: readonly Told[] = [[0, registered()], [1, failedOnce(1, 5 * minute)], [1500, failedOnce(2, 10 * minute)], [1500, autoDisabled]];
    expect(windows(5000, ...events)).toEqual(['enabled 0-1', 'quarantined 1-6', 'enabled 6-1500', 'auto_disabled 1500-']);
  });

  it('is of no use without its address, and ends with its removal', () => {
    expect(windows(9, [0, registered()], [2, plainly('McpCredentialDeleted')], [5, plainly('McpServerRemoved')])).toEqual(['enabled 0-2', 'credential_deleted 2-5']);
  });

  it('adds up', () => {
    const life = onRecord([0, registered()], [hour, failedOnce(1, 5 * minute)], [2 * hour, failedOnce(2, 10 * minute)]);
    const until = 2 * hour + minute;
    expect(timeIn(windowsOf(life, until), 'quarantined', until)).toBe(6 * minute);
  });
});
