import { describe, expect, it } from '@jest/globals';
import { ledgerOperationsDecider } from '../../../src/commands/ledgerOperations.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(ledgerOperationsDecider);
const parked = { projection: 'toolCallLog', position: '7', eventId: '0198c0de-0000-7000-8000-0123456789ab' };
const skipped = { type: 'ParkedEventSkipped', data: parked } as const;
const kept = { position: '3', leaf: 'a'.repeat(64) };
const missing = { position: '9', leaf: 'b'.repeat(64), knownFrom: 'toolCallLog@1' };
const loss = { kept, missing, checkpoint: 'the last one', vouched: true };
const lost = (epoch: number) => ({ type: 'LossAccepted', data: { epoch, ...loss } }) as const;

describe('giving up on a parked event', () => {
  it('is recorded', () => given().when({ type: 'SkipParked', parked }).thenEvents(skipped));

  it('is recorded once for a view', () => given(skipped).when({ type: 'SkipParked', parked }).thenNothing());

  it('is recorded for each view of its own', () => {
    const other = { ...parked, projection: 'mcpServers' };
    given(skipped).when({ type: 'SkipParked', parked: other }).thenEvents({ type: 'ParkedEventSkipped', data: other });
  });
});

describe('accepting a loss', () => {
  it('starts the second epoch', () => given().when({ type: 'AcceptLoss', loss, lastEpoch: 1 }).thenEvents(lost(2)));

  it('starts the next one at each further loss', () => {
    const further = { ...loss, kept: null, missing: { ...missing, position: '12' } };
    given(lost(2), skipped)
      .when({ type: 'AcceptLoss', loss: further, lastEpoch: 1 })
      .thenEvents({ type: 'LossAccepted', data: { epoch: 3, ...further } });
  });

  it('is recorded once for the same loss', () => given(lost(2)).when({ type: 'AcceptLoss', loss, lastEpoch: 2 }).thenNothing());

  it('never starts an epoch again that is known from outside, whatever the ledger has lost', () => {
    given().when({ type: 'AcceptLoss', loss, lastEpoch: 4 }).thenEvents(lost(5));
  });

  it('starts one too when only the sealing key is lost', () => {
    const keyLost = { ...loss, missing: null, vouched: false };
    given().when({ type: 'AcceptLoss', loss: keyLost, lastEpoch: 1 }).thenEvents({ type: 'LossAccepted', data: { epoch: 2, ...keyLost } });
  });

  it('is known by its epoch', () => {
    expect(given().state.epoch).toBe(1);
    expect(given(lost(2)).state.epoch).toBe(2);
  });
});

describe('recording an export', () => {
  const made = {
    exportId: '0198c0de-0000-7000-8000-00000000e001',
    format: 'csv',
    filter: { workspace: 'local' },
    opened: false,
    records: 2,
    first: '40',
    last: '41',
    bytes: 815,
    sha256: 'c'.repeat(64),
  } as const;
  const event = { type: 'ExportMade', data: made } as const;

  it('keeps what was typed in the box of the one who asked', () => {
    given()
      .when({ type: 'RecordExport', made, reader: 'ada', typed: { text: 'weather' } })
      .thenEvents({ ...event, personal: [{ subject: 'ada', values: { text: 'weather' } }] });
  });

  it('happens once for an export, however often it is gone on with', () => given(event).when({ type: 'RecordExport', made, reader: 'ada', typed: {} }).thenNothing());

  it('happens for each export of its own', () => {
    const other = { ...made, exportId: '0198c0de-0000-7000-8000-00000000e002' };
    given(event, skipped).when({ type: 'RecordExport', made: other, reader: 'ada', typed: {} }).thenEvents({ type: 'ExportMade', data: other, personal: [] });
  });
});
