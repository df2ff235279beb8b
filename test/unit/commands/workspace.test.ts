import { describe, expect, it } from '@jest/globals';
import { workspaceDecider, workspaceStream } from '../../../src/commands/workspace.js';
import { workspaceKindOf } from '../../../src/commands/workspaceId.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(workspaceDecider);
const opened = { type: 'WorkspaceOpened', data: { kind: 'guild' } } as const;
const closed = { type: 'WorkspaceClosed', data: {} } as const;

describe('a workspace', () => {
  it('has a stream of its own', () => expect(workspaceStream('g1')).toBe('workspace-g1'));

  it('is unknown until it is opened', () => expect(given().state).toEqual({ status: 'unknown', since: 0 }));

  it('is opened', () => given().when({ type: 'Open', kind: 'guild' }).thenEvents(opened));

  it('is not opened twice', () => given(opened).when({ type: 'Open', kind: 'guild' }).thenNothing());

  it('is closed', () => given(opened).when({ type: 'Close' }).thenEvents(closed));

  it('is not closed twice', () => given(opened, closed).when({ type: 'Close' }).thenNothing());

  it('is opened again', () => given(opened, closed).when({ type: 'Open', kind: 'guild' }).thenEvents(opened));

  it('cannot be closed when nobody ever opened it', () => given().when({ type: 'Close' }).thenRefused({ code: 'workspace_unknown' }));
});

describe('workspaceKindOf', () => {
  it.each([
    ['local', 'local'],
    ['g1', 'guild'],
    ['g12345678901234567890', 'guild'],
    ['d0198c0de-0000-7000-8000-0123456789ab', 'dm'],
  ])('knows %s as %s', (workspace, kind) => expect(workspaceKindOf(workspace)).toBe(kind));

  it.each(['', 'Local', 'g', 'g1a', 'g123456789012345678901', 'd1', 'd0198C0DE-0000-7000-8000-0123456789AB', 'local\n', 'x', '__proto__'])(
    'refuses %j, saying what is allowed',
    (workspace) => {
      expect(() => workspaceKindOf(workspace)).toThrow(
        expect.objectContaining({ kind: 'usage', code: 'invalid_workspace', message: expect.stringContaining('"local"') }),
      );
    },
  );
});
