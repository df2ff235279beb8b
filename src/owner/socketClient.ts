import { connect, type Socket } from 'node:net';
import { Fault } from '../platform/fault.js';
import type { JsonValue } from '../platform/json.js';
import { encodeLine } from './encodeLine.js';
import { lineReader, type ReadLine } from './lineReader.js';
import { fromWire, maxLineBytes, ownerLine, type OwnerLine, type OwnerRequest } from './protocol.js';

/** A connection to the owner of a data directory. */
export interface OwnerConnection {
  /**
   * Asks the owner for something. An abort asks it to cancel, and its answer still comes.
   * @throws the Fault the owner answered; `message_too_large` when the request is; `owner_lost` when the connection
   *   ended before the answer, so that nobody here knows whether it was done
   */
  request(request: OwnerRequest, options?: RequestOptions): Promise<JsonValue>;
  close(): void;
}

/** How one request is followed. */
interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: JsonValue) => void;
}

interface Pending {
  readonly resolve: (result: JsonValue) => void;
  readonly reject: (fault: Fault) => void;
  readonly onProgress: ((progress: JsonValue) => void) | undefined;
}

/**
 * Connects to the owner's socket, whose path the lock file names.
 * @throws Fault `owner_not_listening` when nobody listens there: the owner is just starting or stopping;
 *   `cannot_reach_owner` when it will not be reached by waiting either
 */
export async function connectOwner(path: string): Promise<OwnerConnection> {
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error: NodeJS.ErrnoException) => reject(notReached(path, error)));
  });
  return connection(socket);
}

function connection(socket: Socket): OwnerConnection {
  const pending = new Map<string, Pending>();
  const read = lineReader(maxLineBytes);
  let nextId = 1;
  let lost: Fault | null = null;

  const lose = (fault: Fault): void => {
    lost ??= fault;
    for (const { reject } of pending.values()) reject(lost);
    pending.clear();
    socket.destroy();
  };
  const settle = (line: OwnerLine): void => {
    if ('error' in line && line.id === null) {
      lose(fromWire(line.error));
      return;
    }
    const id = line.id ?? '';
    const waiting = pending.get(id);
    if (waiting === undefined) return;
    if ('progress' in line) {
      waiting.onProgress?.(line.progress);
      return;
    }
    pending.delete(id);
    if ('result' in line) waiting.resolve(line.result);
    else waiting.reject(fromWire(line.error));
  };

  socket.on('data', (chunk: Buffer) => {
    for (const each of read(chunk)) {
      const line = understand(each);
      if (line === null) lose(new Fault('failed', 'malformed_answer', 'The owner of the data directory answered something that cannot be read. Check that both run the same version of toolledger.'));
      else settle(line);
    }
  });
  // The close that follows says all there is to say.
  socket.on('error', () => undefined);
  socket.on('close', () => lose(ownerLost()));

  return {
    request: (request, { signal, onProgress } = {}) =>
      new Promise((resolve, reject) => {
        const id = String(nextId++);
        const line = encodeLine({ id, ...request });
        if (lost !== null) throw lost;
        const cancel = (): void => {
          if (pending.has(id)) socket.write(encodeLine({ id, cancel: true }));
        };
        pending.set(id, {
          onProgress,
          resolve: (result) => {
            signal?.removeEventListener('abort', cancel);
            resolve(result);
          },
          reject: (fault) => {
            signal?.removeEventListener('abort', cancel);
            reject(fault);
          },
        });
        socket.write(line);
        if (signal?.aborted === true) cancel();
        else signal?.addEventListener('abort', cancel, { once: true });
      }),
    close: () => socket.destroy(),
  };
}

function understand(read: ReadLine): OwnerLine | null {
  if (read.kind !== 'line') return null;
  try {
    return ownerLine.parse(JSON.parse(read.text));
  } catch {
    return null;
  }
}

function ownerLost(): Fault {
  return new Fault(
    'failed',
    'owner_lost',
    'The connection to the owner of the data directory ended before it answered, so it is not known whether the request was carried out.',
  );
}

function notReached(path: string, error: NodeJS.ErrnoException): Fault {
  const cause = error.code ?? 'unknown error';
  const passing = cause === 'ENOENT' || cause === 'ECONNREFUSED' || cause === 'EAGAIN';
  return passing
    ? new Fault('failed', 'owner_not_listening', `Nobody answers at ${path} (${cause}). The owner of the data directory is just starting or stopping; try again in a moment.`, { path, cause }, { cause: error })
    : new Fault('failed', 'cannot_reach_owner', `The owner of the data directory cannot be reached at ${path} (${cause}). Run the command as the user who runs the owner.`, { path, cause }, { cause: error });
}
