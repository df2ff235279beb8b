import type { Socket } from 'node:net';
import { Fault } from '../platform/fault.js';
import type { JsonValue } from '../platform/json.js';
import { encodeLine } from './encodeLine.js';
import { lineReader, type ReadLine } from './lineReader.js';
import { maxLineBytes, toWire, type ClientLine, type OwnerLine, type OwnerRequest } from './protocol.js';
import { readClientLine } from './readClientLine.js';

/** Most requests of one client that run at once. */
const maxRunning = 256;

/** Progress is dropped for a client that has so many bytes of answers waiting. */
const progressBacklogBytes = 1024 * 1024;

/** Runs one request. What it throws reaches the client: a Fault as it is, anything else only as `internal_error`. */
export type HandleRequest = (
  request: OwnerRequest,
  context: { readonly signal: AbortSignal; readonly progress: (progress: JsonValue) => void },
) => Promise<JsonValue>;

/** What serving a client needs. */
export interface SessionOptions {
  readonly handle: HandleRequest;
  /** Told of everything a handler threw that is not a Fault. */
  readonly onInternalError: (error: unknown, operation: string) => void;
}

/** One client's connection. */
export interface ClientSession {
  /** Refuses requests from now on. */
  refuse(): void;
  /** Resolves when nothing that runs now runs any more. */
  idle(): Promise<unknown>;
  /** Cancels what runs, sends what waits to be sent if the client takes it at once, and closes. */
  drop(): void;
}

/** Serves one client until it goes away; then what it asked for is cancelled. */
export function serveClient(socket: Socket, { handle, onInternalError }: SessionOptions): ClientSession {
  const controllers = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  const read = lineReader(maxLineBytes);
  let refusing = false;

  const answer = (line: OwnerLine): void => {
    if (!socket.writable) return;
    // A client that does not read is not read from either.
    if (!socket.write(encodeAnswer(line))) socket.pause();
  };
  const fail = (id: string | null, fault: Fault): void => answer({ id, error: toWire(fault) });

  const run = async (id: string, request: OwnerRequest, controller: AbortController): Promise<void> => {
    const progress = (value: JsonValue): void => {
      if (controllers.get(id) === controller && socket.writableLength < progressBacklogBytes) answer({ id, progress: value });
    };
    try {
      const result = await handle(request, { signal: controller.signal, progress });
      controllers.delete(id);
      answer({ id, result });
    } catch (error) {
      controllers.delete(id);
      if (!(error instanceof Fault)) onInternalError(error, request.operation);
      fail(id, error instanceof Fault ? error : internalError());
    }
  };

  const accept = (line: ClientLine): void => {
    if ('cancel' in line) {
      controllers.get(line.id)?.abort(new Fault('failed', 'cancelled', 'The caller cancelled the request.'));
      return;
    }
    const { id, ...request } = line;
    const refusal = refusing ? stopping() : controllers.has(id) ? idInUse() : controllers.size >= maxRunning ? tooMany() : null;
    if (refusal !== null) {
      fail(id, refusal);
      return;
    }
    const controller = new AbortController();
    controllers.set(id, controller);
    const done = run(id, request, controller);
    running.add(done);
    void done.finally(() => running.delete(done));
  };

  const take = (line: ReadLine): void => {
    const understood = readClientLine(line);
    if (understood.ok) accept(understood.line);
    else fail(understood.id, understood.fault);
    if (line.kind === 'tooLong') socket.destroySoon();
  };
  const cancelAll = (fault: Fault): void => {
    for (const controller of controllers.values()) controller.abort(fault);
  };

  socket.on('data', (chunk: Buffer) => {
    if (socket.writable) read(chunk).forEach(take);
  });
  socket.on('drain', () => socket.resume());
  // The close that follows says all there is to say.
  socket.on('error', () => undefined);
  socket.on('close', () => cancelAll(new Fault('failed', 'caller_gone', 'The caller went away before the request was done.')));

  return {
    refuse: () => {
      refusing = true;
    },
    idle: () => Promise.all(running),
    drop: () => {
      cancelAll(stopping());
      socket.destroySoon();
    },
  };
}

function encodeAnswer(line: OwnerLine): string {
  try {
    return encodeLine(line);
  } catch (error) {
    if (error instanceof Fault) return encodeLine({ id: line.id, error: toWire(error) });
    throw error;
  }
}

function internalError(): Fault {
  return new Fault('failed', 'internal_error', 'Something went wrong inside the owner of the data directory; its log says what.');
}

function stopping(): Fault {
  return new Fault('failed', 'owner_stopping', 'The owner of the data directory is stopping. Try again in a moment.');
}

function idInUse(): Fault {
  return new Fault('usage', 'request_id_in_use', 'A request with this id is still running. Give each request its own id.');
}

function tooMany(): Fault {
  return new Fault('failed', 'too_many_requests', `${maxRunning} requests of this connection are running. Wait for some of them.`, { limit: maxRunning });
}
