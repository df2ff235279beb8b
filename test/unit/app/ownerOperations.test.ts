import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ownerOperations } from '../../../src/app/owner/ownerOperations.js';

const folder = new URL('../../../src/operations/', import.meta.url);

describe('the operations that an owner carries out for others', () => {
  it('are all there are that need the owner, but for what only doors in its own process ask', () => {
    const needOwner = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && readFileSync(new URL(file, folder), 'utf8').includes("reach: 'owner'"))
      .map((file) => basename(file, '.ts'));
    const inTheOwnerOnly = ['declareTools', 'showSignIn', 'redirectSignIn', 'answeredSignIn', 'finishSignIn'];
    expect([...ownerOperations.keys(), ...inTheOwnerOnly].sort()).toEqual(needOwner.sort());
  });
});
