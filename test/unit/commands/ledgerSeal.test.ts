import { describe, expect, it } from '@jest/globals';
import { ledgerSealDecider, type Seal } from '../../../src/commands/ledgerSeal.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(ledgerSealDecider);

const seal = (epoch: number, size: number, key = 'k1'): Seal => ({ epoch, size, position: String(size), root: 'a'.repeat(64), key, log: null, checkpoint: `checkpoint of ${size}` });
const sealed = (...data: Parameters<typeof seal>) => ({ type: 'LedgerSealed', data: seal(...data) }) as const;
const rotation = (from: string, to: string, epoch = 1) => ({ epoch, from, to, statement: `${from} vouches for ${to}` });
const rotated = (...of: Parameters<typeof rotation>) => ({ type: 'SealingKeyRotated', data: rotation(...of) }) as const;
const outdated = { code: 'outdated' } as const;

describe('sealing', () => {
  it('begins', () => given().when({ type: 'Seal', seal: seal(1, 10), follows: null }).thenEvents(sealed(1, 10)));

  it('goes on where the seal before ended', () => given(sealed(1, 10)).when({ type: 'Seal', seal: seal(1, 14), follows: { epoch: 1, size: 10 } }).thenEvents(sealed(1, 14)));

  it('has one winner: who did not know the newest seal loses', () => {
    given(sealed(1, 10), sealed(1, 12)).when({ type: 'Seal', seal: seal(1, 14), follows: { epoch: 1, size: 10 } }).thenRefused(outdated);
    given(sealed(1, 10)).when({ type: 'Seal', seal: seal(1, 14), follows: null }).thenRefused(outdated);
  });

  it('never goes back, and never signs the same size twice', () => {
    given(sealed(1, 10)).when({ type: 'Seal', seal: seal(1, 9), follows: { epoch: 1, size: 10 } }).thenRefused(outdated);
    given(sealed(1, 10)).when({ type: 'Seal', seal: seal(1, 10), follows: { epoch: 1, size: 10 } }).thenRefused(outdated);
    given(sealed(2, 10)).when({ type: 'Seal', seal: seal(1, 20), follows: { epoch: 2, size: 10 } }).thenRefused(outdated);
  });

  it('begins a later epoch with a tree of any size and any key', () => {
    given(sealed(1, 10)).when({ type: 'Seal', seal: seal(2, 5, 'k2'), follows: { epoch: 1, size: 10 } }).thenEvents(sealed(2, 5, 'k2'));
  });

  it('is done with the key that signs now', () => {
    given(sealed(1, 10)).when({ type: 'Seal', seal: seal(1, 14, 'other'), follows: { epoch: 1, size: 10 } }).thenRefused(outdated);
    given(sealed(1, 10), rotated('k1', 'k2')).when({ type: 'Seal', seal: seal(1, 14, 'k2'), follows: { epoch: 1, size: 10 } }).thenEvents(sealed(1, 14, 'k2'));
  });
});

it('is known from the newest seal on, whatever came before', () => {
  const newest = [sealed(1, 14, 'k2'), rotated('k2', 'k3')] as const;
  expect(given(...newest).state).toEqual(given(sealed(1, 10), rotated('k1', 'k2'), ...newest).state);
  expect(newest.map((event) => ledgerSealDecider.beginsAnew?.(event))).toEqual([true, false]);
});

describe('rotating the sealing key', () => {
  it('is vouched for by the key that signs now', () => given(sealed(1, 10)).when({ type: 'RotateKey', rotation: rotation('k1', 'k2') }).thenEvents(rotated('k1', 'k2')));

  it('is nothing that an older key can do, nor one of another epoch', () => {
    given(sealed(1, 10), rotated('k1', 'k2')).when({ type: 'RotateKey', rotation: rotation('k1', 'k3') }).thenRefused(outdated);
    given(sealed(2, 10)).when({ type: 'RotateKey', rotation: rotation('k1', 'k2', 1) }).thenRefused(outdated);
    given().when({ type: 'RotateKey', rotation: rotation('k1', 'k2') }).thenRefused(outdated);
  });

  it('makes another key the one that signs, until the next epoch begins with its own', () => {
    expect(given(sealed(1, 10), rotated('k1', 'k2'), sealed(1, 14, 'k2'), rotated('k2', 'k3')).state).toMatchObject({ key: 'k3' });
    expect(given(sealed(1, 10), rotated('k1', 'k2'), sealed(2, 5, 'k9')).state).toMatchObject({ key: 'k9' });
  });
});
