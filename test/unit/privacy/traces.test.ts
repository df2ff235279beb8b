import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { tracesIn } from '../../support/privacy/traces.js';

// The search that erasing is judged by must find what it looks for.
const directory = mkdtempSync(join(tmpdir(), 'traces-'));
afterAll(() => rmSync(directory, { recursive: true }));

const id = '123456789012345678';
const number = Buffer.alloc(8);
number.writeBigUInt64BE(BigInt(id));
const person = { digits: [id], words: ['Grace Hopper'] };

it.each([
  ['text', Buffer.from(`{"user":"${id}"}`)],
  ['text of another case', Buffer.from('GRACE hopper')],
  ['UTF-16LE', Buffer.from(`x${id}`, 'utf16le')],
  ['UTF-16BE', Buffer.from('Grace Hopper', 'utf16le').swap16()],
  ['base64 at the beginning', Buffer.from(Buffer.from(`${id} and more`).toString('base64'))],
  ['base64 after one byte', Buffer.from(Buffer.from(`1${id}`).toString('base64'))],
  ['base64 after two bytes', Buffer.from(Buffer.from('ab Grace Hopper.').toString('base64').slice(2))],
  ['hex', Buffer.from(Buffer.from('Grace Hopper').toString('hex').toUpperCase())],
  ['a big-endian integer', Buffer.concat([Buffer.alloc(3), number])],
  ['a little-endian integer', Buffer.concat([Buffer.alloc(5), Buffer.from(number).reverse()])],
])('a person is found as %s', (_form, bytes) => {
  const file = join(directory, 'file');
  writeFileSync(file, Buffer.concat([Buffer.alloc(7, 0xa5), bytes, Buffer.alloc(7, 0xa5)]));
  expect(tracesIn(directory, person)).not.toEqual([]);
});

it('nobody is found where nothing is', () => {
  writeFileSync(join(directory, 'file'), 'Grace and Hopper, 1234567890');
  expect(tracesIn(directory, person)).toEqual([]);
});
