import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { callText } from '../../../src/projections/callText/projection.js';
import { digestOf } from '../../../src/projections/readModel/digest.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstInProcesses, inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { toolledgerJson } from '../../support/cli/program.js';
import { startServe, type Served } from '../../support/cli/served.js';
import { on, replyResult, startHostileMcpServer, type HostileMcpServer } from '../../support/hostileMcpServer.js';
import { tracesIn } from '../../support/privacy/traces.js';

jest.setTimeout(300_000);

const newDirectory = dataDirectories();
const grace = '123456789012345678';
const traces = { digits: [grace], words: ['Grace Hopper', 'hopper', 'nanosecond', 'bowling'] };

describe('a person who is erased while everything runs', () => {
  const data = newDirectory();
  const backup = `${data}.keys`;
  const run = firstInProcesses(data).json;
  let remote: HostileMcpServer;
  let served: Served;
  let callId: string;
  let subject: string;
  let before: readonly string[];
  let after: readonly string[];

  beforeAll(async () => {
    remote = await startHostileMcpServer();
    remote.behave(
      on('tools/call', (message, response) => {
        const text = JSON.stringify(message.params).includes('Grace') ? 'a nanosecond is a foot long' : 'done';
        return replyResult(response, message, { content: [{ type: 'text', text }] });
      }),
    );
    served = await startServe(data);
    await run('mcp', 'add', remote.url, '--name', 'remote');
    ({ callId } = (await run('call', 'plain', '{"note":"Grace Hopper asks"}', '--user', grace)).document);
    await run('call', 'roll_dice', '{"notation":"Hopper"}', '--user', grace);
    await run('call', 'grace_hopper_tool', '{"nanosecond":1}', '--user', grace);
    await run('privacy', 'hold', '--user', grace, '--because', 'Hopper against Babbage');
    await run('privacy', 'release', '--user', grace);
    await run('call', 'plain', '{"note":"Babbage went bowling"}', '--user', '222222222222222222');
    await run('audit', 'show', callId, '--open');
    await run('audit', 'search', '--text', 'hopper');
    await run('keys', 'backup', backup);
    before = tracesIn(data, traces);
    ({ subject } = (await run('privacy', 'erase', '--user', grace, '--yes')).document as unknown as { subject: string });
    after = tracesIn(data, { ...traces, words: traces.words.slice(0, -1) });
  });
  afterAll(async () => {
    await served.stop();
    await remote.stop();
  });

  it('was found before in the text index and nowhere else, by no id', () => {
    expect(before.join('\n')).toMatch(/callText.*text Grace Hopper/);
    expect(before.filter((trace) => !trace.includes('callText') || trace.includes(grace))).toEqual([]);
  });

  it('is found in no file of the data directory, in no form', () => {
    expect(after).toEqual([]);
  });

  it('is [erased] where their values were, also for who asks with --open', async () => {
    for (const open of [[], ['--open']]) {
      const { entries } = (await run('audit', 'show', callId, ...open)).document as unknown as { entries: { personal: { values: unknown }[] }[] };
      expect(new Set(entries.flatMap(({ personal }) => personal.map(({ values }) => values)))).toEqual(new Set(['[erased]']));
    }
  });

  it('is still a filter by the id that stands for them, and no longer by their own', async () => {
    expect((await run('audit', 'search', '--subject', subject)).document.calls).toHaveLength(3);
    expect((await run('audit', 'search', '--user', grace)).document.calls).toEqual([]);
    expect((await run('audit', 'search', '--text', 'plain', '--subject', subject)).document.calls).toHaveLength(1);
    for (const text of ['hopper', 'nanosecond']) expect((await run('audit', 'search', '--text', text, '--subject', subject)).document.calls).toEqual([]);
  });

  it('takes no words of others along', async () => {
    expect((await run('audit', 'search', '--text', 'bowling')).document.calls).toHaveLength(1);
  });

  it('cannot be erased, held or handed out again', async () => {
    for (const command of [['erase', '--yes'], ['hold', '--because', 'x'], ['export']]) {
      expect(await run('privacy', ...command, '--user', grace)).toMatchObject({ code: 1, document: { error: { code: 'person_unknown' } } });
    }
  });

  it('leaves a ledger that verifies, and views that equal a rebuild', async () => {
    expect(await run('ledger', 'verify')).toMatchObject({ code: 0 });
    const live = new Database(join(data, 'readmodels', `${callText.name}@${callText.version}.db`), { readonly: true });
    const digest = digestOf(live, callText);
    live.close();
    expect((await run('projections', 'rebuild', callText.name)).document.views).toMatchObject([{ name: callText.name, digest }]);
  });

  it('is somebody new when they come back', async () => {
    const again = (await run('call', 'roll_dice', '{"notation":"d6"}', '--user', grace)).document.callId;
    const { calls } = (await run('audit', 'search', '--user', grace)).document as unknown as { calls: { callId: string; onBehalfOf: string }[] };
    expect(calls.map(({ callId: id }) => id)).toEqual([again]);
    expect(calls[0]?.onBehalfOf).not.toBe(subject);
  });

  it('is not named in the log', async () => {
    const { stderr } = await served.stop();
    expect(stderr).not.toMatch(new RegExp(`${grace}|hopper|nanosecond`, 'i'));
    expect(tracesIn(data, { ...traces, words: ['hopper', 'nanosecond'] })).toEqual([]);
  });

});

describe('a person who was erased', () => {
  const data = newDirectory();
  const backup = `${data}.keys`;
  let callId: string;

  beforeAll(async () => {
    ({ callId } = (await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"Hopper"}', '--user', grace])).document);
    await jsonInThisProcess(data, ['keys', 'backup', backup]);
    await jsonInThisProcess(data, ['privacy', 'erase', '--user', grace, '--yes']);
  });

  it('is not brought back by an older backup of the keys', async () => {
    expect(await jsonInThisProcess(data, ['keys', 'restore', backup, '--force'])).toMatchObject({ code: 0, document: { people: 1, destroyed: 1 } });
    expect((await inThisProcess(data, ['audit', 'show', callId, '--open'])).stdout).toContain('[erased]');
  });

  it('is not brought back by older keys that somebody copies over the new ones', async () => {
    copyFileSync(backup, join(data, 'keys.db'));
    const { stdout } = await inThisProcess(data, ['audit', 'show', callId, '--open']);
    expect(stdout).toContain('[erased]');
    expect(stdout).not.toContain('Hopper');
  });
});

describe('erasing without anybody to ask', () => {
  it('needs --yes, and changes nothing without it', async () => {
    expect(await toolledgerJson(newDirectory(), ['privacy', 'erase', '--user', grace])).toMatchObject({ code: 2, document: { error: { code: 'no_terminal' } } });
  });
});
