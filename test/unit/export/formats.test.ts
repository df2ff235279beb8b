import { describe, expect, it } from '@jest/globals';
import { HTTP, type CloudEvent } from 'cloudevents';
import { exportFormats } from '../../../src/events/catalogue/ledgerOperations.js';
import { formats } from '../../../src/operations/export/exportEvents.js';
import { csvRows } from '../../support/export/csvRows.js';
import { exportedRecords, exportedText } from '../../support/export/exported.js';
import { everyEvent } from '../../support/export/everyEvent.js';
import { ocsfProblems } from '../../support/export/ocsf160.js';
import { admit, cancel, fail, loseTrack, refuse, remoteRoute, settle, succeed } from '../../support/projections/callEvents.js';
import { TestLedger } from '../../support/projections/testLedger.js';

const web = remoteRoute('00000000-0000-7000-8000-000000000001', 'Web');

/** One call of each outcome, as their own people made them. */
function outcomes(): TestLedger {
  const ledger = new TestLedger();
  const ends = [succeed, (to: TestLedger, id: string) => fail(to, id, 'bad_input'), cancel, loseTrack];
  ends.forEach((end, index) => {
    admit(ledger, `c${index}`, { tool: 'search', route: web, channel: '42' }, { actor: 'bot', onBehalfOf: 'ada', correlation: 't1' });
    end(ledger, `c${index}`, { actor: 'system' });
  });
  settle(ledger, 'c3', 'failed', { actor: 'bob' });
  refuse(ledger, 'c4', { tool: null, reasons: ['unknown_tool', 'workspace_closed'] });
  return ledger;
}

describe('JSON Lines', () => {
  it('have the whole envelope, the clear data and whose values are sealed', async () => {
    const ledger = new TestLedger();
    refuse(ledger, 'c1', {}, { actor: 'bot', onBehalfOf: 'ada', workspace: 'g1', correlation: 't1', personal: { detail: 'x' } });
    const [event] = ledger.events;
    expect(await exportedRecords(ledger)).toEqual([
      {
        position: '1',
        id: event?.id,
        stream: 'toolCall-c1',
        revision: 0,
        type: 'ToolCallRefused',
        writtenVersion: 2,
        recordedAt: '2026-01-01T00:00:01.000Z',
        occurredAt: '2026-01-01T00:00:00.000Z',
        workspace: 'g1',
        actor: 'bot',
        door: 'cli',
        onBehalfOf: 'ada',
        turn: 't1',
        causation: null,
        runner: 'r1',
        data: JSON.parse(event?.data ?? '') as unknown,
        personal: [{ subject: 'ada', values: '[sealed]' }],
        leaf: Buffer.from(event?.leaf ?? []).toString('hex'),
      },
    ]);
  });
});

describe('comma-separated values', () => {
  it('have the same columns for every event, and what the call began with also where it ends', async () => {
    const rows = csvRows(formats.csv.head + (await exportedText(outcomes(), { format: 'csv' })));
    expect(rows).toHaveLength(10);
    expect(rows.map(({ type, call_id, tool, server, channel, reasons, duration_ms }) => [type, call_id, tool, server, channel, reasons, duration_ms])).toEqual([
      ['ToolCallAdmitted', 'c0', 'search', 'Web', '42', '', ''],
      ['ToolCallSucceeded', 'c0', 'search', 'Web', '42', '', '7'],
      ['ToolCallAdmitted', 'c1', 'search', 'Web', '42', '', ''],
      ['ToolCallFailed', 'c1', 'search', 'Web', '42', 'bad_input', '9'],
      ['ToolCallAdmitted', 'c2', 'search', 'Web', '42', '', ''],
      ['ToolCallCancelled', 'c2', 'search', 'Web', '42', '', '3'],
      ['ToolCallAdmitted', 'c3', 'search', 'Web', '42', '', ''],
      ['ToolCallOutcomeUnknown', 'c3', 'search', 'Web', '42', 'timeout', '30'],
      ['ToolCallOutcomeSettled', 'c3', 'search', 'Web', '42', '', ''],
      ['ToolCallRefused', 'c4', '', '', '', 'unknown_tool workspace_closed', ''],
    ]);
  });

  it('keep their columns, because programs read them by these', () => {
    expect(formats.csv.head).toBe(
      'position,recorded_at,occurred_at,type,workspace,actor,door,on_behalf_of,turn,call_id,tool,server,channel,reasons,duration_ms,data,personal,event_id,stream,revision,written_version,causation,runner,leaf\r\n',
    );
  });
});

describe('CloudEvents', () => {
  it('are what the official SDK takes, for every type of event, with data and attributes as they were', async () => {
    const ledger = everyEvent();
    const lines = (await exportedText(ledger, { format: 'cloudevents', open: true })).split('\n').slice(0, -1);
    expect(lines).toHaveLength(ledger.events.length);
    lines.forEach((line, index) => {
      const read = HTTP.toEvent({ headers: { 'content-type': 'application/cloudevents+json' }, body: line }) as CloudEvent<{ clear: unknown }>;
      const event = ledger.events[index];
      expect(read.validate()).toBe(true);
      expect(read).toMatchObject({ specversion: '1.0', id: event?.id, type: `local.toolledger.${event?.type}`, subject: event?.stream, source: '/toolledger/workspaces/local' });
      expect(Date.parse(read.time ?? '')).toBe(event?.occurredAt);
    });
  });

  it('leave out what an event does not have', async () => {
    const ledger = new TestLedger();
    admit(ledger, 'c1');
    const [record] = await exportedRecords(ledger, { format: 'cloudevents' });
    expect(Object.values(record ?? {})).not.toContain(null);
    expect(record).not.toHaveProperty('onbehalfof');
  });
});

describe('OCSF', () => {
  it('records are what the schema says, for every type of event', async () => {
    const records = await exportedRecords(everyEvent(), { format: 'ocsf', open: true });
    expect(records.flatMap(ocsfProblems)).toEqual([]);
    for (const { type_uid: type, activity_id: activity, metadata } of records) {
      expect(type).toBe(600_300 + Number(activity));
      expect(metadata).toMatchObject({ version: '1.6.0' });
    }
  });

  it('has one record for each refusal, ending and settlement of a call, and says how it went', async () => {
    const records = await exportedRecords(outcomes(), { format: 'ocsf' });
    expect(records.map(({ message, status_id, status_code, duration }) => [message, status_id, status_code ?? null, duration ?? null])).toEqual([
      ['search: Success', 1, null, 7],
      ['search: Failure', 2, 'bad_input', 9],
      ['search: Cancelled', 99, null, 3],
      ['search: Unknown', 0, 'timeout', 30],
      ['search: Failure', 2, null, null],
      ['unknown tool: Failure', 2, 'unknown_tool', null],
    ]);
  });

  it('names the caller as who acted, also when the product wrote down the ending, and the person who settled', async () => {
    const records = await exportedRecords(outcomes(), { format: 'ocsf' });
    expect(records.map(({ actor }) => (actor as { user: { uid: string } }).user.uid)).toEqual(['bot', 'bot', 'bot', 'bot', 'bob', 'ada']);
    expect(records[0]).toMatchObject({
      api: { operation: 'search', service: { name: 'Web', uid: '00000000-0000-7000-8000-000000000001' }, request: { uid: 'c0' } },
      dst_endpoint: { svc_name: 'Web' },
      unmapped: { on_behalf_of: 'ada', channel: '42' },
    });
  });

  it('says of administrative events what they do to the thing', async () => {
    const ledger = new TestLedger();
    ledger.add({ type: 'WorkspaceOpened', data: { kind: 'local' } }, { actor: 'system' });
    ledger.add({ type: 'ToolSwitchSet', data: { tool: 'x', on: true } });
    ledger.add({ type: 'WorkspaceClosed', data: {} });
    expect((await exportedRecords(ledger, { format: 'ocsf' })).map(({ type_uid, type_name, api }) => [type_uid, type_name, (api as { operation: string }).operation])).toEqual([
      [600_301, 'API Activity: Create', 'WorkspaceOpened'],
      [600_303, 'API Activity: Update', 'ToolSwitchSet'],
      [600_304, 'API Activity: Delete', 'WorkspaceClosed'],
    ]);
  });
});

describe('every form', () => {
  it.each(exportFormats)('%s ends each record with its line end and holds one a line', async (format) => {
    const text = await exportedText(everyEvent(), { format, open: true });
    const lineEnd = format === 'csv' ? '\r\n' : '\n';
    expect(text.endsWith(lineEnd)).toBe(true);
    expect(text.replaceAll(lineEnd, '')).not.toMatch(/[\r\n]/);
  });
});
