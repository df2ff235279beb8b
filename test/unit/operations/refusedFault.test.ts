import { describe, expect, it } from '@jest/globals';
import { refusedFault } from '../../../src/operations/refusedFault.js';

describe("a decider's refusal as a failure for people", () => {
  it('says what to do next, and takes along what was given and what the refusal carries', () => {
    const refusal = { code: 'limit_reached', limit: 10 } as const;
    const fault = refusedFault(refusal, { workspace: 'local' });
    expect(fault).toMatchObject({ kind: 'failed', code: 'limit_reached', details: { workspace: 'local', limit: 10 } });
    expect(fault.message).toContain('remove one first');
  });

  it('names the server and the workspace in what is to be typed', () => {
    expect(refusedFault({ code: 'tools_unknown' }, { workspace: 'g7', name: 'shop' }).message).toContain('`toolledger mcp refresh shop --workspace g7`');
  });
});
