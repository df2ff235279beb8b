import { describe, expect, it } from '@jest/globals';
import { steeringIn } from '../../support/cli/printedBytes.js';
import { personDocument, type PersonEntry } from '../../../src/cli/commands/privacy/personDocument.js';

const about = { user: '1234', subject: '00000000-0000-4000-8000-000000000001', upTo: '9' };

function entry(type: string, minute: number, values: PersonEntry['values'] = null): PersonEntry {
  const recordedAt = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return { position: String(minute), recordedAt, type, stream: 's-1', as: ['actor'], door: 'cli', workspace: 'local', turn: null, data: {}, values };
}

async function written(entries: readonly PersonEntry[]): Promise<{ readonly pieces: readonly string[]; readonly document: { index: unknown[]; events: unknown[] }; readonly events: number }> {
  const pieces: string[] = [];
  const read = async function* (): AsyncGenerator<PersonEntry> {
    yield* entries;
  };
  const events = await personDocument(about, read, async (text) => void pieces.push(text));
  return { pieces, document: JSON.parse(pieces.join('')) as never, events };
}

describe("the document of a person's data", () => {
  it('says whom it is about, and is JSON also when there is nothing', async () => {
    const { document, events } = await written([]);
    expect(events).toBe(0);
    expect(document).toMatchObject({ person: { user: '1234', subject: about.subject }, upToPosition: '9', index: [], events: [] });
  });

  it('begins with an index that says what each kind of event means, how many there are and from when to when', async () => {
    const { document } = await written([entry('ToolCallAdmitted', 1), entry('ToolCallSucceeded', 2), entry('ToolCallAdmitted', 5)]);
    expect(document.index).toEqual([
      { type: 'ToolCallAdmitted', meaning: expect.stringContaining('tool was called'), events: 2, first: '2026-01-01T00:01:00.000Z', last: '2026-01-01T00:05:00.000Z' },
      expect.objectContaining({ type: 'ToolCallSucceeded', events: 1 }),
    ]);
    expect(Object.keys(document).indexOf('index')).toBeLessThan(Object.keys(document).indexOf('events'));
  });

  it('has each event as it is, one a piece, so that none waits in memory for another', async () => {
    const entries = [entry('ToolCallAdmitted', 1, { note: 'hello', odd: '"\\\u001b[31m' }), entry('ToolCallFailed', 2, '[erased]')];
    const { document, pieces } = await written(entries);
    expect(document.events).toEqual(entries);
    expect(pieces).toHaveLength(entries.length + 2);
  });

  it('prints nothing that steers a terminal', async () => {
    const { pieces } = await written([entry('ToolCallAdmitted', 1, { note: '\u001b]0;x\u0007 \u202e' })]);
    expect(steeringIn(pieces.join(''))).toBeNull();
  });
});
