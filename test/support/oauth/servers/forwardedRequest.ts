import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { OAuthRequest } from './oauthRequest.js';

/** A whole answer, which can still be changed. */
export interface MadeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | string;
}

/** These belong to the connection an answer came over, and the length may change. */
const ofConnection = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];

/** Asks a server of this machine, which shall think that it was asked itself: the `Host` stays. */
export async function forwardRequest({ httpMethod: method, headers, body }: OAuthRequest, port: number, path: string): Promise<MadeAnswer> {
  const asking = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }).end(body);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  const kept = Object.entries(answer.headers).filter(([name]) => !ofConnection.includes(name));
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(kept), body: await buffer(answer) };
}
