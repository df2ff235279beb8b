import { expect, it } from '@jest/globals';
import { ledgerPrivacyDecider, ledgerPrivacyStream } from '../../../src/commands/ledgerPrivacy.js';
import { readPerson } from '../../../src/operations/privacy/readPerson.js';
import { runOperation } from '../../../src/operations/runOperation.js';
import type { LedgerServices } from '../../../src/operations/services.js';
import { handlerUnderTest } from '../../support/handlerUnderTest.js';

const [ada, bob] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const;
const origin = { actor: bob, door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;
const invocation = { caller: { actor: bob, door: 'cli', onBehalfOf: null }, signal: new AbortController().signal, progress: () => undefined } as const;

it('reads nothing of a person until it is on record that it will be read', async () => {
  const { handler, store } = handlerUnderTest();
  const services = { ledger: store, openBoxes: () => [] } as unknown as LedgerServices;
  const read = (subject: string, opening: number) => runOperation(readPerson, services, { subject, opening, upTo: '9', after: null }, invocation);
  const open = (purpose: 'show' | 'person_export') => {
    const opened = { purpose, subjects: [ada], callId: null, filter: null };
    return handler.execute(ledgerPrivacyDecider, ledgerPrivacyStream, [{ type: 'OpenValues', opened, reader: bob, typed: {} }], origin);
  };
  const notOnRecord = expect.objectContaining({ code: 'not_on_record' });
  await expect(read(ada, 0)).rejects.toEqual(notOnRecord);
  await open('show');
  await expect(read(ada, 0)).rejects.toEqual(notOnRecord);
  await open('person_export');
  await expect(read(bob, 1)).rejects.toEqual(notOnRecord);
  expect((await read(ada, 1)).entries.map(({ as }) => as)).toEqual([['named'], ['named']]);
});
