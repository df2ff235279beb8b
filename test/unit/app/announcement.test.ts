import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { announcement } from '../../../src/app/serve/announcement.js';

const serving = { directory: resolve('data'), port: 7_411, signIns: null };

describe('what serve says when it is ready', () => {
  it('names no data directory in its commands, and no place of sign-ins, where nobody set one', () => {
    const text = announcement(serving).join('\n');
    expect(text).not.toContain('--data');
    expect(text).not.toContain('sign-ins');
  });

  it('gives commands that work in another terminal whatever the data directory is', () => {
    const commands = announcement({ ...serving, directory: "/srv/it's here" }).filter((line) => line.startsWith('  npx'));
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(command).toMatch(/ --data '\/srv\/it'\\''s here'$/);
    expect(announcement({ ...serving, directory: '/srv/data' }).at(-1)).toBe('  npx toolledger mcp add http://127.0.0.1:3001/mcp --name everything --data /srv/data');
  });

  it.each([
    [{ port: 7_412, publicUrl: null }, '  sign-ins      http://127.0.0.1:7412/oauth/'],
    [{ port: 7_411, publicUrl: 'https://bot.example' }, '  sign-ins      https://bot.example/oauth/ (to be passed on to http://127.0.0.1:7411/oauth/)'],
  ])('says where sign-ins are: %j', (signIns, line) => expect(announcement({ ...serving, signIns })).toContain(line));
});
