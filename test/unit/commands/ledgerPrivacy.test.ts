import { describe, expect, it } from '@jest/globals';
import { ledgerPrivacyDecider } from '../../../src/commands/ledgerPrivacy.js';
import type { LedgerPrivacyEvent } from '../../../src/events/catalogue/ledgerPrivacy.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(ledgerPrivacyDecider);
const [ada, bob] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const;
const because = 'Case 12';
const erased = (subject: string): LedgerPrivacyEvent => ({ type: 'SubjectErased', data: { subject } });
const held = (subject: string): LedgerPrivacyEvent => ({ type: 'SubjectHeld', data: { subject } });
const released = (subject: string): LedgerPrivacyEvent => ({ type: 'SubjectReleased', data: { subject } });
const opened = { purpose: 'show', subjects: [ada], callId: 'c1', filter: null } as const;

describe('erasing a person', () => {
  it('is recorded', () => given().when({ type: 'Erase', subject: ada }).thenEvents(erased(ada)));

  it('is recorded once', () => given(erased(ada), erased(bob)).when({ type: 'Erase', subject: ada }).thenNothing());

  it('says nothing of others', () => given(erased(bob)).when({ type: 'Erase', subject: ada }).thenEvents(erased(ada)));

  it('is refused under a legal hold', () => given(held(ada)).when({ type: 'Erase', subject: ada }).thenRefused({ code: 'subject_held' }));

  it('is not hindered by the hold of another', () => given(held(bob)).when({ type: 'Erase', subject: ada }).thenEvents(erased(ada)));

  it('is possible once the hold is over', () => given(held(ada), released(ada)).when({ type: 'Erase', subject: ada }).thenEvents(erased(ada)));
});

describe('a legal hold', () => {
  it('is recorded, with its reason among the values of who is held', () =>
    given()
      .when({ type: 'Hold', subject: ada, because })
      .thenEvents({ type: 'SubjectHeld', data: { subject: ada }, personal: [{ subject: ada, values: { because } }] }));

  it('is recorded once', () => given(held(ada)).when({ type: 'Hold', subject: ada, because }).thenNothing());

  it('comes too late for who was erased', () => given(erased(ada)).when({ type: 'Hold', subject: ada, because }).thenRefused({ code: 'subject_erased' }));

  it('ends when it is released', () => given(held(ada)).when({ type: 'Release', subject: ada }).thenEvents(released(ada)));

  it('cannot end where there is none', () => given(held(bob)).when({ type: 'Release', subject: ada }).thenNothing());

  it('is known to whoever asks who is held', () => {
    expect([...given(held(ada), held(bob), released(ada)).state.held]).toEqual([bob]);
  });
});

describe('opening what is sealed', () => {
  it('is recorded each time', () =>
    given({ type: 'PersonalValuesOpened', data: opened })
      .when({ type: 'OpenValues', opened, reader: bob, typed: {} })
      .thenEvents({ type: 'PersonalValuesOpened', data: opened, personal: [] }));

  it('keeps what was typed freely among the values of the reader', () => {
    const exported = { purpose: 'export', subjects: null, callId: null, filter: { workspace: 'local' } } as const;
    given()
      .when({ type: 'OpenValues', opened: exported, reader: bob, typed: { text: 'lovelace' } })
      .thenEvents({ type: 'PersonalValuesOpened', data: exported, personal: [{ subject: bob, values: { text: 'lovelace' } }] });
  });

  it('leaves no trace in the state, however often it is done', () => {
    expect(given({ type: 'PersonalValuesOpened', data: opened }).state).toEqual(given().state);
  });
});

it('going on without lost keys is recorded', () =>
  given()
    .when({ type: 'AcceptKeyLoss', loss: { subjects: 3, upTo: '42' } })
    .thenEvents({ type: 'KeyLossAccepted', data: { subjects: 3, upTo: '42' } }));

it('folds ten thousand erased people in no time', () => {
  const people = Array.from({ length: 10_000 }, (_, index) => erased(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`));
  given(...people).when({ type: 'Erase', subject: ada }).thenEvents(erased(ada));
});
