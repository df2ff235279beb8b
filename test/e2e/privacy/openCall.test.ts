import { describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstInProcesses } from '../../support/cli/inProcess.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();

interface Life {
  readonly entries: readonly { readonly personal: readonly { readonly subject: string; readonly values: unknown }[] }[];
}

describe("another person's values in a call", () => {
  const data = newDirectory();
  const run = firstInProcesses(data);
  const show = async (...options: string[]): Promise<unknown[]> => {
    const { document } = await run.json('audit', 'show', callId, ...options);
    return (document as unknown as Life).entries.flatMap(({ personal }) => personal.map(({ values }) => values));
  };
  let callId: string;

  it('are sealed for whoever does not ask, and nothing is recorded', async () => {
    ({ callId } = (await run.json('call', 'roll_dice', '{"notation":"not dice at all"}', '--user', '1234')).document);
    const { events } = (await run.json('ledger', 'verify')).document;
    const values = await show();
    expect(values.length).toBeGreaterThan(0);
    expect(new Set(values)).toEqual(new Set(['[sealed]']));
    expect((await run.json('ledger', 'verify')).document.events).toBe(events);
  });

  it('are shown with --open, which is recorded', async () => {
    const { events } = (await run.json('ledger', 'verify')).document;
    expect(JSON.stringify(await show('--open'))).toContain('not dice at all');
    expect((await run.json('ledger', 'verify')).document.events).toBe(events + 1);
    expect((await run('audit', 'show', callId, '--open')).stdout).not.toContain('[sealed]');
  });

  it('of the operator alone are no reason for a record', async () => {
    const own = (await run.json('call', 'roll_dice', '{"notation":"mine"}')).document.callId;
    const { events } = (await run.json('ledger', 'verify')).document;
    expect(await run.json('audit', 'show', own, '--open')).toMatchObject({ code: 0 });
    expect((await run.json('ledger', 'verify')).document.events).toBe(events);
  });

  it('of a call that is not there cannot be opened', async () => {
    expect(await run.json('audit', 'show', 'nothing', '--open')).toMatchObject({ code: 1, document: { error: { code: 'call_not_found' } } });
  });
});
