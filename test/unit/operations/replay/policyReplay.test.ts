import { describe, expect, it } from '@jest/globals';
import { limitsFor } from '../../../../src/commands/mcpServers/breaker.js';
import type { AnyEvent } from '../../../../src/events/catalogue/catalogue.js';
import { figuresOf } from '../../../../src/operations/servers/replay/trackFigures.js';
import { PolicyReplay, type BreakerPolicy } from '../../../../src/operations/servers/replay/policyReplay.js';
import { remoteRoute } from '../../../support/projections/callEvents.js';
import { at, definition, discovered, failedOnce, hour, minute, plainly, registered, serverId } from '../../../support/serverLife.js';

const kept = { parameters: {}, redaction: [], argumentsDigest: null, argumentsBytes: 2, channel: null, basis: { workspace: 0, settings: null, servers: 1 } };
const route = remoteRoute(serverId, 'notes');
const admitted: AnyEvent = { type: 'ToolCallAdmitted', data: { tool: 'search', route, ...kept, deadline: 0 } };
const refused = (reason: string): AnyEvent => ({ type: 'ToolCallRefused', data: { tool: 'search', route, reasons: [reason], ...kept, conflictsWith: null } });
const declared = (shown: readonly string[], leftOut: readonly string[]): AnyEvent => ({
  type: 'ToolsDeclared',
  data: {
    tools: shown.map((name) => ({ name, definition: definition('a') })),
    leftOut: leftOut.map((name) => ({ name, reasons: ['server_quarantined'] })),
    undiscovered: [],
  },
});

const policy = (base: number, more: Partial<BreakerPolicy> = {}): BreakerPolicy => ({ baseMs: base * minute, ...limitsFor(base * minute), ...more });

type Step = readonly [minutes: number, known: AnyEvent, by?: string];
const start: readonly Step[] = [[0, registered()], [0, discovered({ search: 'a' })]];

function replay(wanted: BreakerPolicy, ...steps: readonly Step[]): PolicyReplay {
  const replayed = new PolicyReplay(serverId, wanted);
  for (const [minutes, known, by] of [...start, ...steps]) replayed.take(known, at(minutes * minute, by));
  return replayed;
}

/** When the estimate has counted failures, in minutes. */
const failuresOf = ({ estimated }: PolicyReplay) => estimated.life.filter(({ known }) => known.type === 'McpConnectionFailed' && known.data.counted).map(({ at: { recordedAt } }) => recordedAt / minute);

describe('what is on record, under another policy', () => {
  const failing: readonly Step[] = [[1, failedOnce(1, 5 * minute)], [3, refused('server_quarantined')], [7, failedOnce(2, 10 * minute)]];

  it('is tried earlier where somebody was turned away', () => {
    const replayed = replay(policy(1), ...failing);
    expect(failuresOf(replayed)).toEqual([1, 3, 7]);
    expect(figuresOf(replayed.estimated, 9 * minute)).toMatchObject({ attempts: 3, failures: 3, turnedAway: 0, quarantinedMs: (1 + 2 + 2) * minute });
    expect(figuresOf(replayed.recorded, 9 * minute)).toMatchObject({ attempts: 2, failures: 2, turnedAway: 1, quarantinedMs: (5 + 2) * minute });
  });

  it('turns away those whose attempts are on record', () => {
    const replayed = replay(policy(30), ...failing);
    expect(failuresOf(replayed)).toEqual([1]);
    expect(replayed.estimated.turnedAway).toBe(2);
  });

  it('notices a recovery when it is next needed and may be dialled, and turns away until then', () => {
    const replayed = replay(policy(30), ...failing, [18, plainly('McpConnectionRecovered')], [20, admitted], [40, admitted], [50, admitted]);
    expect(replayed.recoveries).toEqual([{ at: 18 * minute, noticedAt: 40 * minute }]);
    expect(replayed.estimated.turnedAway).toBe(4);
  });

  it('never notices a recovery that nobody needed before the next failure', () => {
    const replayed = replay(policy(30), ...failing, [18, plainly('McpConnectionRecovered')], [40, failedOnce(1, 5 * minute)]);
    expect(replayed.recoveries).toEqual([{ at: 18 * minute, noticedAt: null }]);
    expect(failuresOf(replayed)).toEqual([1, 40]);
  });

  it('leaves alone what people did: a refresh is made in any quarantine', () => {
    const replayed = replay(policy(30), ...failing, [9, plainly('McpConnectionRecovered'), 'ada']);
    expect(replayed.recoveries).toEqual([{ at: 9 * minute, noticedAt: 9 * minute }]);
  });

  it.each([['ada', 'parked'], ['system', null]])('leaves alone what %s found of a disabled server', (by, expected) => {
    const replayed = replay(policy(5), [1, plainly('McpServerDisabled'), 'ada'], [2, { type: 'McpServerParked', data: { serverId, reason: 'needs_sign_in' } }, by]);
    expect(replayed.estimated.server?.connection.parked === null ? null : 'parked').toBe(expected);
  });

  it('counts a list of tools as a need: shown once it is up, left out while it is in quarantine', () => {
    const lists: readonly Step[] = [[3, declared([], ['search'])], [8, plainly('McpConnectionRecovered')], [9, declared(['search'], [])]];
    const replayed = replay(policy(8), [1, failedOnce(1, 5 * minute)], ...lists);
    expect(replayed.recorded.turnedAway).toBe(1);
    expect(replayed.estimated.turnedAway).toBe(2);
    expect(replayed.recoveries).toEqual([{ at: 8 * minute, noticedAt: 9 * minute }]);
  });

  it('is not needed by tools of other servers, for other reasons, or of another definition', () => {
    const elsewhere: AnyEvent = { type: 'ToolCallRefused', data: { tool: 'x', route: remoteRoute('0198c0de-0000-7000-8000-000000000009', 'web'), reasons: ['server_quarantined'], ...kept, conflictsWith: null } };
    const replayed = replay(policy(1), [1, failedOnce(1, 5 * minute)], [3, elsewhere], [3, refused('switched_off')], [3, declared([], ['other'])]);
    expect(failuresOf(replayed)).toEqual([1]);
    expect(replayed.recorded.turnedAway).toBe(0);
  });

  it('is one attempt for those that were let through while it was down: the one on record', () => {
    expect(failuresOf(replay(policy(1), [1, failedOnce(1, minute)], [4, declared(['search'], [])], [5, failedOnce(2, 2 * minute)]))).toEqual([1, 5]);
  });

  it('does not try in the quarantine that a refusal was judged in and recorded after', () => {
    expect(failuresOf(replay(policy(5), [1, failedOnce(1, 5 * minute)], [6.1, refused('server_quarantined')]))).toEqual([1]);
  });

  describe('that disables at another time', () => {
    const day: readonly Step[] = [[0, failedOnce(1, 5 * minute)], [13 * 60, failedOnce(2, 10 * minute)], [25 * 60, failedOnce(3, 20 * minute)]];
    const off: Step = [25 * 60, { type: 'McpServerAutoDisabled', data: { serverId, class: 'timeout', failures: 3, failingSince: 0 } }];
    const later: readonly Step[] = [[26 * 60, refused('server_auto_disabled')], [30 * 60, plainly('McpServerEnabled'), 'ada'], [31 * 60, admitted]];

    it('does so earlier, and then waits for an admin', () => {
      const replayed = replay(policy(5, { autoDisableAfterMs: 12 * hour }), ...day, off, ...later);
      expect(figuresOf(replayed.estimated, 32 * hour)).toMatchObject({ failures: 2, turnedAway: 2, autoDisabledAt: ['1970-01-01T13:00:00.000Z'] });
      expect(replayed.estimated.server).toMatchObject({ status: 'enabled', autoDisabled: null });
    });

    it('does not, and goes on trying until it is up', () => {
      const replayed = replay(policy(5, { autoDisableAfterMs: 48 * hour }), ...day, off, ...later);
      expect(figuresOf(replayed.estimated, 32 * hour)).toMatchObject({ failures: 4, attempts: 5, turnedAway: 0, autoDisabledAt: [] });
      expect(figuresOf(replayed.recorded, 32 * hour)).toMatchObject({ failures: 3, attempts: 3, turnedAway: 1, autoDisabledAt: ['1970-01-02T01:00:00.000Z'] });
    });
  });
});
