import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpApp } from '../../../src/platform/http/httpApp.js';
import { openListener } from '../../../src/platform/http/listener.js';
import type { OAuthPages, OfferedSignIn, ReturnedSignIn } from '../../../src/web/oauth/oauthPages.js';
import { oauthRoutes, type OAuthRoutesParts } from '../../../src/web/oauth/oauthRoutes.js';

/** What the stub shows of a link. */
export const offered: OfferedSignIn = {
  server: 'files',
  address: 'https://files.example:443',
  workspace: 'g42',
  admin: 'Ada',
  host: 'auth.example',
  hostBefore: null,
  enabling: null,
  formTarget: 'https://auth.example',
  scopes: ['files:read', 'files:write'],
  expiresAt: Date.UTC(2026, 11, 1, 14, 32),
  audience: { who: 'everyone', roles: [] },
  hasRoles: true,
  isOutsider: false,
  csrf: 'csrf-of-start',
  page: 'rendered-1',
};

/** What the stub shows of an answer. */
export const returned: ReturnedSignIn = { server: 'files', workspace: 'g42', admin: 'Ada', host: 'auth.example', audience: 'everyone in the workspace', csrf: 'csrf-of-callback', refused: null };

export interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Buffer;
}

/** The routes on a real port, with operations that only write down how they were called. */
export interface ServedSignIn {
  readonly port: number;
  /** The origin on this machine. */
  readonly origin: string;
  /** Every operation that was called, with what it got; of `cookie` what it says for `toolledger-signin-a`. */
  readonly calls: (readonly [operation: keyof OAuthPages, input: unknown])[];
  readonly internal: unknown[];
  send(path: string, sent?: Sent): Promise<Reply>;
  /** A form as a page of ours sends it; headers may take the place of the usual ones, and null takes one away. */
  post(path: string, body: string | Buffer | { readonly [name: string]: string }, headers?: { readonly [name: string]: string | null }): Promise<Reply>;
  /** Bytes as they are, on a connection of their own. */
  raw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

export async function serveSignIn(pages: Partial<OAuthPages> = {}, parts: Partial<OAuthRoutesParts> & { readonly alone?: boolean } = {}): Promise<ServedSignIn> {
  const calls: (readonly [keyof OAuthPages, unknown])[] = [];
  const internal: unknown[] = [];
  const onInternalError = (error: unknown): void => void internal.push(error);
  const stub: OAuthPages = {
    show: async () => offered,
    begin: async () => ({ location: 'https://auth.example/authorize?state=s', cookieName: 'toolledger-signin-a', cookie: 'value-a', maxAgeSeconds: 600 }),
    returned: async ({ error }) => ({ ...returned, refused: error === null ? null : 'auth.example said no.' }),
    finish: async ({ error }) => ({ server: 'files', workspace: 'g42', signedIn: error === null, usable: error === null, sentence: error === null ? 'It is done.' : 'It was ended.' }),
    ...pages,
  };
  const routes = oauthRoutes({
    publicOrigin: null,
    clientMetadata: null,
    onInternalError,
    onForeignPost: async () => undefined,
    pages: {
      show: async (link, cookie) => (calls.push(['show', link]), stub.show(link, cookie)),
      begin: async ({ cookie, ...input }) => (calls.push(['begin', input]), stub.begin({ ...input, cookie })),
      returned: async (input) => (calls.push(['returned', { ...input, cookie: input.cookie('toolledger-signin-a') }]), stub.returned(input)),
      finish: async (input) => (calls.push(['finish', { ...input, cookie: input.cookie('toolledger-signin-a') }]), stub.finish(input)),
    },
    ...parts,
  });
  const listener = await openListener(parts.alone === true ? routes : httpApp(onInternalError, routes), 0);
  const { port } = listener;
  const origin = `http://127.0.0.1:${port}`;

  const send: ServedSignIn['send'] = (path, { method = 'GET', headers = {}, body = '' } = {}) =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (reply) => {
        text(reply).then((read) => resolve({ status: reply.statusCode, headers: reply.headers, body: read }), reject);
      })
        .on('error', reject)
        .end(body);
    });
  return {
    port,
    origin,
    calls,
    internal,
    send,
    post: (path, body, headers = {}) => {
      const all = { origin, 'content-type': 'application/x-www-form-urlencoded', ...headers };
      const present = Object.entries<string | null>(all).filter((header): header is [string, string] => header[1] !== null);
      const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : new URLSearchParams(body).toString();
      return send(path, { method: 'POST', headers: Object.fromEntries(present), body: bytes });
    },
    raw: (bytes) => {
      const socket = connect(port, '127.0.0.1');
      socket.end(bytes);
      return text(socket);
    },
    close: () => listener.close(AbortSignal.abort()),
  };
}
