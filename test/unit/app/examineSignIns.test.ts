import { expect, it } from '@jest/globals';
import { judgedPlace } from '../../../src/app/examining/examineSignIns.js';
import type { FoundThere } from '../../../src/app/examining/signInPlace.js';

const here = 'http://127.0.0.1:7411';
const pages: FoundThere = { kind: 'pages' };
const nobody: FoundThere = { kind: 'nobody' };
const other: FoundThere = { kind: 'other', detail: 'HTTP 502' };
const bot = 'https://bot.example';

it.each<[string, 'ok' | 'warning' | 'problem', FoundThere, { publicUrl?: string; beyond?: FoundThere; forAccount?: string[]; forBrowser?: string[] }]>([
  ['browsers come in at http://127.0.0.1:7411/oauth/', 'ok', pages, {}],
  ['browsers come in at https://bot.example/oauth/', 'ok', pages, { publicUrl: bot, beyond: pages }],
  [
    'TOOLLEDGER_PUBLIC_URL does not lead to the pages of sign-ins, as seen from this machine: https://bot.example/oauth/ (HTTP 502). Have it passed on to http://127.0.0.1:7411/oauth/',
    'warning', pages, { publicUrl: bot, beyond: other },
  ],
  [
    'TOOLLEDGER_PUBLIC_URL does not lead to the pages of sign-ins, as seen from this machine: https://bot.example/oauth/ (nobody answers there). Have it passed on to http://127.0.0.1:7411/oauth/',
    'warning', pages, { publicUrl: bot, beyond: nobody },
  ],
  ['nobody listens at http://127.0.0.1:7411/oauth/ now; `toolledger serve` does, and `toolledger mcp sign-in` while it waits', 'ok', nobody, {}],
  [
    'a sign-in waits for the browser (club (local)), and nobody listens at http://127.0.0.1:7411/oauth/: start `toolledger serve` and go on in the browser, or begin again',
    'warning', nobody, { forBrowser: ['club (local)'] },
  ],
  ['another program is at http://127.0.0.1:7411 (HTTP 502), so nobody can sign in there: stop it, or choose another port with TOOLLEDGER_PORT', 'problem', other, { forBrowser: ['club (local)'] }],
  ['browsers come in at http://127.0.0.1:7411/oauth/. Waiting for somebody to sign in: club (local), files (g7); `toolledger mcp list` says how', 'ok', pages, { forAccount: ['club (local)', 'files (g7)'], forBrowser: ['club (local)'] }],
])('%s', (detail, state, found, { publicUrl = null, beyond = null, forAccount = [], forBrowser = [] }) => {
  expect(judgedPlace(here, found, { publicUrl, oauthPort: null, beyond }, { forAccount, forBrowser })).toEqual({ state, detail });
});
