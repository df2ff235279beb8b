import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalHeader, contentHash, leafHash, leafOf } from '../../../src/events/leaf.js';
import { testEvent, testId } from '../../support/events.js';

const event = testEvent(1, { onBehalfOf: 's-2', data: '{"dé":"骰"}', boxes: '[["s-2","AAAA"]]' });
const at = { stream: 'toolCall-a', revision: 3, recordedAt: 1_700_000_000_123 };

describe('the leaf of an event', () => {
  it('is pinned: ledgers that exist were written with it', () => {
    expect(leafOf(event, at).toString('hex')).toBe('7e890466122ed00c55eac1ed67654559eff12be575dcd1ebabe0c0cbee4fb45e');
  });

  it('is the RFC 6962 leaf hash of header and content hash', () => {
    const header = canonicalHeader(event, at);
    const content = createHash('sha256').update(event.data).update('\n').update(event.boxes).digest();
    const expected = createHash('sha256').update(Buffer.of(0)).update(header).update(content).digest();
    expect(leafOf(event, at)).toEqual(expected);
    expect(leafHash(header, contentHash(event.data, event.boxes))).toEqual(expected);
  });

  it('has a header that names everything but the content and the position', () => {
    expect(canonicalHeader(event, at)).toBe(
      `["toolledger/event@1","${testId(1)}","toolCall-a",3,"ToolCallAdmitted",1,1700000000000,1700000000123,"s-1","cli","s-2",null,null,"local","runner-1"]`,
    );
  });

  it.each([
    ['stream', { ...at, stream: 'toolCall-b' }],
    ['revision', { ...at, revision: 4 }],
    ['recordedAt', { ...at, recordedAt: 0 }],
  ])('changes with the %s', (_, other) => {
    expect(leafOf(event, other)).not.toEqual(leafOf(event, at));
  });

  it('tells data from boxes', () => {
    expect(contentHash('{}', '[]')).not.toBe(contentHash('{}[]', ''));
  });
});
