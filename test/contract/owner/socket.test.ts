import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HandleRequest } from '../../../src/owner/clientSession.js';
import { connectOwner, type OwnerConnection } from '../../../src/owner/socketClient.js';
import { openOwnerSocket, type OwnerSocket } from '../../../src/owner/socketServer.js';
import { socketPlace } from '../../../src/owner/socketPlace.js';
import { Fault } from '../../../src/platform/fault.js';
import type { JsonValue } from '../../../src/platform/json.js';

let directory: string;
let servers: OwnerSocket[];
let clients: OwnerConnection[];
let internal: unknown[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sock-'));
  servers = [];
  clients = [];
  internal = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  for (const server of servers) await server.close(AbortSignal.abort());
  rmSync(directory, { recursive: true, force: true });
});

const path = () => join(directory, 'owner.sock');
const never = new AbortController().signal;

async function serve(handle: HandleRequest): Promise<OwnerSocket> {
  const server = await openOwnerSocket({ path: path(), folder: null }, { handle, onInternalError: (error) => internal.push(error) });
  servers.push(server);
  return server;
}

async function client(): Promise<OwnerConnection> {
  const connection = await connectOwner(path());
  clients.push(connection);
  return connection;
}

const ask = (operation: string, input: JsonValue = {}) => ({ operation, input, caller: {} });

/** A promise and the means to settle it. */
function gate<T = void>(): { readonly promise: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (open = resolve));
  return { promise, open };
}

describe('a request to the owner', () => {
  it('carries operation, input and caller, and brings the result', async () => {
    await serve(async (request) => ({ ...request }));
    const request = { operation: 'callTool', input: { text: 'Grüße, 世界, \n, \u0000, \ud83d' }, caller: { onBehalfOf: 'x' } };
    expect(await (await client()).request(request)).toEqual(request);
  });

  it('brings progress in order before the result', async () => {
    await serve(async (_request, { progress }) => {
      for (const step of [1, 2, 3]) progress({ step });
      return 'done';
    });
    const seen: JsonValue[] = [];
    expect(await (await client()).request(ask('rebuild'), { onProgress: (progress) => seen.push(progress) })).toBe('done');
    expect(seen).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }]);
  });

  it('that fails brings the fault with its kind, code, message and details', async () => {
    const fault = new Fault('damaged', 'corrupt', 'The ledger is damaged.', { position: '7' });
    await serve(async () => Promise.reject(fault));
    const caught = await (await client()).request(ask('verify')).catch((error: unknown) => error);
    expect(caught).toBeInstanceOf(Fault);
    expect(caught).toMatchObject({ kind: 'damaged', code: 'corrupt', message: 'The ledger is damaged.', details: { position: '7' } });
  });

  it('that fails unexpectedly says nothing of what happened inside', async () => {
    const error = new Error('password is hunter2');
    await serve(async () => Promise.reject(error));
    const caught = (await (await client()).request(ask('x')).catch((thrown: unknown) => thrown)) as Fault;
    expect(caught.code).toBe('internal_error');
    expect(JSON.stringify([caught.message, caught.details])).not.toContain('hunter2');
    expect(internal).toEqual([error]);
  });

  it('does not wait for those before it', async () => {
    const slow = gate<JsonValue>();
    await serve(({ operation }) => (operation === 'slow' ? slow.promise : Promise.resolve(operation)));
    const connection = await client();
    const first = connection.request(ask('slow'));
    const rest = await Promise.all(Array.from({ length: 100 }, (_, index) => connection.request(ask(`fast${index}`))));
    expect(rest).toEqual(Array.from({ length: 100 }, (_, index) => `fast${index}`));
    slow.open('slow');
    expect(await first).toBe('slow');
  });

  it('may come from twenty clients at once', async () => {
    await serve(async ({ input }) => input);
    const all = await Promise.all(Array.from({ length: 20 }, async (_, index) => (await client()).request(ask('echo', index))));
    expect(all).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('carries 8 MiB both ways', async () => {
    await serve(async ({ input }) => input);
    const large = 'ä'.repeat(4 * 1024 * 1024);
    expect((await (await client()).request(ask('echo', large))) === large).toBe(true);
  });

  it('over the limit is refused before it is sent', async () => {
    await serve(async () => 'small');
    const connection = await client();
    await expect(connection.request(ask('x', 'a'.repeat(32 * 1024 * 1024)))).rejects.toMatchObject({ code: 'message_too_large' });
    expect(await connection.request(ask('x'))).toBe('small');
  });

  it('with an answer over the limit is told so, and the connection goes on', async () => {
    await serve(async ({ operation }) => (operation === 'large' ? 'a'.repeat(32 * 1024 * 1024) : 'small'));
    const connection = await client();
    await expect(connection.request(ask('large'))).rejects.toMatchObject({ code: 'message_too_large' });
    expect(await connection.request(ask('small'))).toBe('small');
  });
});

describe('a request that is given up', () => {
  const untilAborted: HandleRequest = (_request, { signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({ aborted: (signal.reason as Fault).code })));

  it('is cancelled at the owner, whose answer still comes', async () => {
    await serve(untilAborted);
    const controller = new AbortController();
    const answer = (await client()).request(ask('x'), { signal: controller.signal });
    controller.abort();
    expect(await answer).toEqual({ aborted: 'cancelled' });
  });

  it('is cancelled also when it was given up before it was sent', async () => {
    await serve(untilAborted);
    expect(await (await client()).request(ask('x'), { signal: AbortSignal.abort() })).toEqual({ aborted: 'cancelled' });
  });

  it('is cancelled at the owner when the client goes away', async () => {
    const started = gate();
    const ended = gate<unknown>();
    await serve((_request, { signal }) => {
      signal.addEventListener('abort', () => ended.open(signal.reason));
      started.open();
      return new Promise(() => undefined);
    });
    const connection = await client();
    const lost = connection.request(ask('x')).catch((error: unknown) => error);
    await started.promise;
    connection.close();
    expect(await ended.promise).toMatchObject({ code: 'caller_gone' });
    expect(await lost).toMatchObject({ code: 'owner_lost' });
  });
});

describe('an owner that goes away', () => {
  it('lets running requests finish, and refuses new ones', async () => {
    const finish = gate<JsonValue>();
    const started = gate();
    const server = await serve(() => {
      started.open();
      return finish.promise;
    });
    const connection = await client();
    const running = connection.request(ask('x'));
    await started.promise;
    const closed = server.close(never);
    await expect(connection.request(ask('y'))).rejects.toMatchObject({ code: 'owner_stopping' });
    await expect(connectOwner(path())).rejects.toMatchObject({ code: 'owner_not_listening' });
    finish.open('finished');
    expect(await running).toBe('finished');
    await closed;
    expect(existsSync(path())).toBe(false);
  });

  it('cancels what still runs at the deadline', async () => {
    const started = gate();
    const signals: AbortSignal[] = [];
    const server = await serve((_request, { signal }) => {
      signals.push(signal);
      started.open();
      return new Promise(() => undefined);
    });
    const running = (await client()).request(ask('x')).catch((error: unknown) => error);
    await started.promise;
    const deadline = new AbortController();
    const closed = server.close(deadline.signal);
    deadline.abort();
    await closed;
    expect(signals[0]?.reason).toMatchObject({ code: 'owner_stopping' });
    expect(await running).toMatchObject({ code: 'owner_lost' });
  });

  it('fails what is asked after it, at once', async () => {
    const server = await serve(async () => 'x');
    const connection = await client();
    await connection.request(ask('x'));
    const lost = connection.request(ask('x')).catch(() => 'ended');
    await server.close(never);
    await lost;
    await expect(connection.request(ask('x'))).rejects.toMatchObject({ code: 'owner_lost' });
  });
});

describe('the socket', () => {
  it('is for its owner only', async () => {
    await serve(async () => null);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('takes the place of one that a dead owner left', async () => {
    const dead = createServer().listen(path());
    await once(dead, 'listening');
    await serve(async () => 'alive');
    expect(await (await client()).request(ask('x'))).toBe('alive');
    dead.close();
  });

  it('lies in the data directory, or in a new private folder when that path is too long', async () => {
    const id = () => 'id';
    expect(socketPlace('/data', '/tmp', id)).toEqual({ path: '/data/owner.sock', folder: null });
    expect(socketPlace(`/${'d'.repeat(88)}`, '/tmp', id).folder).toBeNull();
    expect(socketPlace(`/${'d'.repeat(90)}`, '/tmp', id)).toEqual({ path: '/tmp/toolledger-id/owner.sock', folder: '/tmp/toolledger-id' });
    expect(socketPlace(`/${'ä'.repeat(45)}`, '/tmp', id).folder).toBe('/tmp/toolledger-id');

    const place = { path: join(directory, 'new', 'owner.sock'), folder: join(directory, 'new') };
    const server = await openOwnerSocket(place, { handle: async () => null, onInternalError: () => undefined });
    expect(statSync(dirname(place.path)).mode & 0o777).toBe(0o700);
    await server.close(never);
    expect(existsSync(place.folder)).toBe(false);
  });

  it('is not put into a folder that somebody else made', async () => {
    const folder = join(directory, 'theirs');
    mkdirSync(folder);
    await expect(openOwnerSocket({ path: join(folder, 'owner.sock'), folder }, { handle: async () => null, onInternalError: () => undefined })).rejects.toMatchObject({
      code: 'cannot_listen',
      details: { cause: 'EEXIST' },
    });
  });
});
