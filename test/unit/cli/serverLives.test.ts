import { describe, expect, it } from '@jest/globals';
import { policyEstimate } from '../../../src/cli/format/policyEstimate.js';
import { serverLives } from '../../../src/cli/format/serverLives.js';
import { windowChart } from '../../../src/cli/format/windowChart.js';
import { steeringIn } from '../../support/cli/printedBytes.js';

const time = (minutes: number): string => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();

describe('a chart of how a server stood', () => {
  const windows = [
    { state: 'enabled', from: time(0), to: time(40) },
    { state: 'quarantined', from: time(40), to: time(45) },
    { state: 'enabled', from: time(45), to: time(80) },
    { state: 'disabled', from: time(80), to: null },
  ];

  it('has a line for each state there is, and a legend', () => {
    expect(windowChart(windows, { from: time(0), to: time(100), width: 22 })).toEqual([
      'enabled     ████▒███',
      'quarantined     ▒',
      'disabled            ██',
      expect.stringMatching(/^from 202[56]-/),
      expect.stringMatching(/^to {3}202[56]-/),
      '█ all of the time, ▒ a part of it; one column is 10m',
    ]);
  });

  it('names begin and end under it where there is room', () => {
    const [, , , axis] = windowChart(windows, { from: time(0), to: time(100), width: 80 });
    expect(axis).toMatch(/^ {12}\S{25} +\S{25}$/);
    expect(axis).toHaveLength(80);
  });

  it.each([40, 80, 81, 200])('fits into %d columns', (width) => {
    for (const line of windowChart(windows, { from: time(0), to: time(100), width }).slice(0, -1)) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('stays readable where there is hardly room, and shows what has only just begun', () => {
    const [line] = windowChart([{ state: 'enabled', from: time(0), to: null }], { from: time(0), to: time(0), width: 1 });
    expect(line).toBe('enabled ██████████');
    const [, off] = windowChart([{ state: 'enabled', from: time(0), to: time(9) }, { state: 'disabled', from: time(9), to: null }], { from: time(0), to: time(9), width: 19 });
    expect(off).toBe('disabled          ▒');
  });
});

describe('what a server or an admin wrote', () => {
  const steering = 'a\u001b[2J\nb\u202e';
  const entry = { position: '1', recordedAt: time(0), type: 'McpToolSwitchSet', actor: steering, door: 'cli', onBehalfOf: null, text: `Its tool ${steering} was switched off.`, data: {}, changes: null, diffs: [{ name: steering, fields: [{ field: steering, lines: [`+ ${steering}`] }] }] };

  it('does not steer the terminal in a life', () => {
    const life = { serverId: steering, name: steering, kind: 'generic', address: steering, registeredAt: time(0), removedAt: null, state: 'enabled' as const, standing: steering, windows: [{ state: steering, from: time(0), to: null }], entries: [entry] };
    const lines = serverLives({ workspace: steering, name: steering, asOf: time(1), lives: [life] }, 80);
    expect(steeringIn(`${lines.join('\n')}\n`)).toBeNull();
    expect(lines.slice(-2)).toEqual(['    a\\u{1b}[2J\\u{a}b\\u{202e}, a\\u{1b}[2J\\u{a}b\\u{202e}:', '      + a\\u{1b}[2J\\u{a}b\\u{202e}']);
    expect(lines.at(-3)).toMatch(/Its tool a\\u\{1b\}\[2J\\u\{a\}b\\u\{202e\} was switched off\. \(by .* through cli\)$/);
  });

  it('does not in an estimate', () => {
    const figures = { attempts: 0, failures: 0, quarantinedMs: 0, turnedAway: 0, autoDisabledAt: [], windows: [] };
    const policy = { cooldownMs: 300_000, capMs: 300_000, autoDisableMs: 300_000 };
    const lines = policyEstimate(
      {
        estimate: true, assumptions: [], workspace: steering, name: steering, serverId: steering, otherIds: [steering], from: time(0), to: time(9), present: policy, estimated: policy,
        recordedUnderPresent: false, figures: { recorded: figures, estimated: { ...figures, autoDisabledAt: [time(3)] } }, recoveries: [{ recordedAt: time(1), noticedAt: time(3), laterMs: 120_000 }, { recordedAt: time(4), noticedAt: null, laterMs: null }],
      },
      null,
    );
    expect(steeringIn(`${lines.join('\n')}\n`)).toBeNull();
    expect(lines).toContainEqual(expect.stringMatching(/^Some of it was recorded under another setting/));
    expect(lines).toContainEqual(expect.stringMatching(/noticed 2m later/));
    expect(lines).toContainEqual(expect.stringMatching(/not noticed before the next failure, or the end\.$/));
  });
});
