import { describe, expect, it } from '@jest/globals';
import { boxesOf, boxKey, openBox, sealBox } from '../../../src/events/box.js';
import { testId } from '../../support/events.js';

const key = Buffer.alloc(32, 7);
const binding = { stream: 'toolCall-a', eventId: testId(1), subject: 's-1' };
const values = { text: 'Würfel 骰子', nested: { deep: [1, null, true] } };

describe('a box', () => {
  it('opens with the key and the binding it was sealed with', () => {
    expect(openBox(key, binding, sealBox(key, binding, values))).toEqual(values);
  });

  it('is pinned: ledgers that exist hold such boxes', () => {
    expect(sealBox(key, binding, { a: 1 })).toBe('1J2iMVjPZQqrxMLPTPdYFOet2gvSujPjUda6G15Ebsv2FXw=');
    expect(boxKey(key, testId(1)).toString('hex')).toBe('48d8d429a80ef4e3fa8779606518850722626bf0b567df46d360aab9737aefc7');
  });

  it('has the same bytes for the same content, and others for other content', () => {
    expect(sealBox(key, binding, values)).toBe(sealBox(key, binding, values));
    expect(sealBox(key, binding, values).slice(0, 16)).not.toBe(sealBox(key, binding, { ...values, text: '' }).slice(0, 16));
  });

  it.each([
    ['another key', Buffer.alloc(32, 8), binding],
    ['another stream', key, { ...binding, stream: 'toolCall-b' }],
    ['another event', key, { ...binding, eventId: testId(2) }],
    ['another person', key, { ...binding, subject: 's-2' }],
  ])('stays shut for %s', (_, otherKey, otherBinding) => {
    expect(openBox(otherKey, otherBinding, sealBox(key, binding, values))).toBeNull();
  });

  it('stays shut when any byte of it is another', () => {
    const sealed = Buffer.from(sealBox(key, binding, { a: 1 }), 'base64');
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(openBox(key, binding, changed.toString('base64'))).toBeNull();
    }
  });

  it.each(['', 'AAAA', '%%%', 'A'.repeat(36)])('stays shut when it is no box at all: %j', (text) => {
    expect(openBox(key, binding, text)).toBeNull();
  });
});

describe('the boxes of an event', () => {
  it('name each person with the box', () => {
    expect(boxesOf('[["s-1","AAAA"],["s-2","BBBB"]]')).toEqual([
      ['s-1', 'AAAA'],
      ['s-2', 'BBBB'],
    ]);
  });

  it('are none when the text is empty', () => {
    expect(boxesOf('')).toEqual([]);
  });
});
