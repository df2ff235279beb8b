import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, Server, type Socket } from 'node:net';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { OwnerRequest } from '../../../src/owner/protocol.js';
import { connectOwner } from '../../../src/owner/socketClient.js';
import { openOwnerSocket, type OwnerSocket } from '../../../src/owner/socketServer.js';

let directory: string;
let server: OwnerSocket;
let requests: OwnerRequest[];
let sockets: (Socket | Server)[];
beforeEach(async () => {
  sockets = [];
  directory = mkdtempSync(join(tmpdir(), 'hostile-'));
  requests = [];
  server = await openOwnerSocket(
    { path: path(), folder: null },
    {
      handle: async (request) => {
        requests.push(request);
        return request.operation === 'hang' ? new Promise(() => undefined) : 'done';
      },
      onInternalError: () => undefined,
    },
  );
});
afterEach(async () => {
  for (const socket of sockets) {
    if (socket instanceof Server) socket.close();
    else socket.destroy();
  }
  await server.close(AbortSignal.abort());
  rmSync(directory, { recursive: true, force: true });
});

const path = () => join(directory, 'owner.sock');

interface Answer {
  readonly id: string | null;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A client that writes what it likes; `next` gives the next answer. */
async function raw(): Promise<{ readonly socket: Socket; readonly next: () => Promise<Answer> }> {
  const socket = connect(path());
  sockets.push(socket);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  const answers: Answer[] = [];
  const arrivals = new EventEmitter();
  createInterface({ input: socket })
    .on('error', () => undefined)
    .on('line', (line) => {
      answers.push(JSON.parse(line) as Answer);
      arrivals.emit('answer');
    });
  const next = async (): Promise<Answer> => {
    const first = answers.shift();
    if (first !== undefined) return first;
    await once(arrivals, 'answer');
    return next();
  };
  return { socket, next };
}

async function stillServes(): Promise<void> {
  const connection = await connectOwner(path());
  expect(await connection.request({ operation: 'x', input: {}, caller: {} })).toBe('done');
  connection.close();
}

const good = '{"id":"good","operation":"x","input":{},"caller":{}}\n';

describe('a line that is no request is answered, and the next one works', () => {
  it.each<[string, string | Buffer, string | null]>([
    ['nothing', '', null],
    ['no JSON', '{"id":', null],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), null],
    ['a NUL byte', '\u0000', null],
    ['a number', '7', null],
    ['null', 'null', null],
    ['an array', '[]', null],
    ['no input', '{"id":"a","operation":"x","caller":{}}', 'a'],
    ['no caller', '{"id":"a","operation":"x","input":{}}', 'a'],
    ['a caller that is a list', '{"id":"a","operation":"x","input":{},"caller":[]}', 'a'],
    ['an id that is a number', '{"id":1,"operation":"x","input":{},"caller":{}}', null],
    ['an id of 10,000 characters', `{"id":"${'i'.repeat(10_000)}","operation":"x","input":{},"caller":{}}`, null],
    ['an operation of 10,000 characters', `{"id":"a","operation":"${'o'.repeat(10_000)}","input":{},"caller":{}}`, 'a'],
    ['an unknown field', '{"id":"a","operation":"x","input":{},"caller":{},"actor":"root"}', 'a'],
    ['a prototype', '{"id":"a","operation":"x","input":{},"caller":{},"__proto__":{"actor":"root"}}', 'a'],
    ['cancel: false', '{"id":"a","cancel":false}', 'a'],
  ])('%s', async (_name, line, id) => {
    const { socket, next } = await raw();
    socket.write(line);
    socket.write('\n');
    expect(await next()).toMatchObject({ id, error: { code: 'malformed_request' } });
    socket.write(good);
    expect(await next()).toEqual({ id: 'good', result: 'done' });
    expect(requests.map(({ operation }) => operation)).toEqual(['x']);
  });
});

describe('a request that is odd but well formed', () => {
  it('keeps what its input holds, also __proto__, lone surrogates and 10,000 levels', async () => {
    const { socket, next } = await raw();
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    socket.write(`{"id":"a","operation":"x","input":{"__proto__":1,"lone":"\\ud800","deep":${deep}},"caller":{}}\n`);
    expect(await next()).toEqual({ id: 'a', result: 'done' });
    const input = requests[0]?.input as Record<string, unknown>;
    expect(Object.keys(input)).toEqual(['__proto__', 'lone', 'deep']);
    expect(input['lone']).toBe('\ud800');
  });

  it('may come byte by byte, and many in one piece', async () => {
    const { socket, next } = await raw();
    for (const byte of Buffer.from(good)) socket.write(Buffer.of(byte));
    expect(await next()).toMatchObject({ id: 'good', result: 'done' });
    socket.write(good.replace('good', '1') + good.replace('good', '2'));
    expect([await next(), await next()]).toEqual([
      { id: '1', result: 'done' },
      { id: '2', result: 'done' },
    ]);
  });

  it('may not reuse the id of one that runs', async () => {
    const { socket, next } = await raw();
    socket.write('{"id":"a","operation":"hang","input":{},"caller":{}}\n'.repeat(2));
    expect(await next()).toMatchObject({ id: 'a', error: { code: 'request_id_in_use' } });
  });

  it('is refused when 256 of the same client run, and others are served', async () => {
    const { socket, next } = await raw();
    for (let id = 0; id < 257; id++) socket.write(`{"id":"${id}","operation":"hang","input":{},"caller":{}}\n`);
    expect(await next()).toMatchObject({ id: '256', error: { code: 'too_many_requests' } });
    await stillServes();
  });

  it('may cancel what never ran', async () => {
    const { socket, next } = await raw();
    socket.write(`{"id":"nothing","cancel":true}\n${good}`);
    expect(await next()).toEqual({ id: 'good', result: 'done' });
  });
});

it('a line that never ends closes its connection and no other', async () => {
  const { socket } = await raw();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const mebibyte = Buffer.alloc(1024 * 1024, 'a');
  for (let sent = 0; sent < 33; sent++) socket.write(mebibyte);
  await closed;
  await stillServes();
});

it('a client that goes away in the middle of a line or of a request harms nobody', async () => {
  const first = await raw();
  first.socket.write('{"id":"a","opera');
  first.socket.destroy();
  const second = await raw();
  second.socket.write(good.replace('"x"', '"hang"'));
  second.socket.destroy();
  await stillServes();
});

describe('an owner that is none', () => {
  it.each([
    ['nonsense', 'hello\n'],
    ['an answer without a result', '{"id":"1"}\n'],
    ['an error of an unknown kind', '{"id":"1","error":{"kind":"?","code":"x","message":"y","details":{}}}\n'],
  ])('that answers %s is a named fault for whoever waits', async (_name, answer) => {
    const impostorPath = join(directory, 'impostor.sock');
    const impostor = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(answer));
    }).listen(impostorPath);
    sockets.push(impostor);
    await once(impostor, 'listening');
    const connection = await connectOwner(impostorPath);
    await expect(connection.request({ operation: 'x', input: {}, caller: {} })).rejects.toMatchObject({ code: 'malformed_answer' });
    connection.close();
  });
});
