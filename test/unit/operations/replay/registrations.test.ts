import { describe, expect, it } from '@jest/globals';
import { livesNamed, type Named } from '../../../../src/operations/servers/replay/registrations.js';
import { Fault } from '../../../../src/platform/fault.js';
import { onRecord, plainly, registered, serverId } from '../../../support/serverLife.js';

const second = '0198c0de-0000-7000-8000-000000000002';
const other = '0198c0de-0000-7000-8000-000000000003';
const record = onRecord([1, registered()], [2, registered({ serverId: other, name: 'web' })], [3, plainly('McpServerRemoved')], [4, registered({ serverId: second, name: 'NOTES' })]);
const named = (name: string, more: Partial<Named> = {}): Named => ({ workspace: 'local', name, id: null, asOf: null, ...more });

function failureOf(wanted: Named): Fault {
  try {
    livesNamed(record, wanted);
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error('it did not fail');
}

describe('the registrations of a name', () => {
  it('are all there ever were, whatever the case, each with what is on record of it', () => {
    expect(livesNamed(record, named('Notes')).map((life) => ({ ...life, record: life.record.map(({ known }) => known.type) }))).toEqual([
      { serverId, registeredAt: 1, record: ['McpServerRegistered', 'McpServerRemoved'] },
      { serverId: second, registeredAt: 4, record: ['McpServerRegistered'] },
    ]);
  });

  it('are one when its id is given', () => {
    expect(livesNamed(record, named('notes', { id: second })).map((life) => life.serverId)).toEqual([second]);
  });

  it('that never were name those that were', () => {
    expect(failureOf(named('note'))).toMatchObject({ kind: 'failed', code: 'not_found', message: 'No server "note" was ever registered in local. These were: notes, web, NOTES.' });
    expect(failureOf(named('notes', { id: other })).message).toBe(`No server "notes" was registered in local with the id "${other}". Its ids: ${serverId}, ${second}.`);
  });

  it('that never were in an empty workspace say how to add one, and by when', () => {
    expect(() => livesNamed([], named('x', { asOf: 0 }))).toThrow('No server "x" was ever registered in local by 1970-01-01T00:00:00.000Z. None was; add one with `toolledger mcp add URL --name NAME`.');
  });
});
