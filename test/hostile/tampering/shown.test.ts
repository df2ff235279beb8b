import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstEvents } from '../../support/cli/firstEvents.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();

describe('an event that somebody changed in the file', () => {
  const data = newDirectory();
  const outside = newDirectory();
  let callId: string;

  beforeAll(async () => {
    mkdirSync(outside);
    callId = (await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"4d6"}', '--user', '7', '--call-id', 'mine'])).document.callId;
    expect(await jsonInThisProcess(data, ['audit', 'show', 'mine', '--user', '7'])).toMatchObject({ code: 0, document: { callId } });
    const ledger = new Database(join(data, 'ledger.db'));
    ledger.exec(`DROP TRIGGER events_never_change; UPDATE events SET data = replace(data, '4d6', '9d6') WHERE type = 'ToolCallAdmitted'`);
    ledger.close();
  });

  it('is neither shown nor exported: the command names it and exits with 3', async () => {
    const altered = { code: 3, document: { error: { code: 'altered_event', position: String(firstEvents + 1), message: expect.stringContaining('ledger verify') } } };
    expect(await jsonInThisProcess(data, ['audit', 'show', callId])).toMatchObject(altered);
    const exported = await inThisProcess(data, ['audit', 'export', '--format', 'jsonl', '--out', join(outside, 'all.jsonl')]);
    expect([exported.code, exported.stderr]).toEqual([3, expect.stringContaining(`position ${firstEvents + 1} is not what it was`)]);
  });
});

describe('a call id that somebody gave for a person', () => {
  const data = newDirectory();

  it('finds the call with that person and not without, and the answer says how', async () => {
    const { callId } = (await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"4d6"}', '--user', '7', '--call-id', 'mine'])).document;
    expect(await jsonInThisProcess(data, ['audit', 'show', 'mine'])).toMatchObject({ code: 1, document: { error: { code: 'call_not_found', message: expect.stringContaining('--user') } } });
    expect(await jsonInThisProcess(data, ['audit', 'show', 'mine', '--user', '7'])).toMatchObject({ code: 0, document: { callId } });
    expect(await jsonInThisProcess(data, ['audit', 'show', 'mine', '--user', '8'])).toMatchObject({ code: 1, document: { error: { code: 'call_not_found' } } });
  });
});
