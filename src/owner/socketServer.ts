import { mkdirSync, rmSync, rmdirSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Fault } from '../platform/fault.js';
import { serveClient, type ClientSession, type SessionOptions } from './clientSession.js';
import type { SocketPlace } from './socketPlace.js';

/** The owner's end of the socket. */
export interface OwnerSocket {
  /**
   * Takes no more requests, lets running ones finish, then closes and removes the socket.
   * @param deadline when it aborts, what still runs is cancelled and not waited for
   */
  close(deadline: AbortSignal): Promise<void>;
}

/**
 * Listens on the owner's socket (mode 0600). Only the owner of the data directory may call this: it removes a socket
 * that a dead owner left.
 * @throws Fault `cannot_listen`
 */
export async function openOwnerSocket(place: SocketPlace, options: SessionOptions): Promise<OwnerSocket> {
  const sessions = new Map<ClientSession, Socket>();
  let refusing = false;
  const server = createServer((socket) => {
    const session = serveClient(socket, options);
    if (refusing) session.refuse();
    sessions.set(session, socket);
    socket.on('close', () => sessions.delete(session));
  });
  try {
    if (place.folder !== null) mkdirSync(place.folder, { mode: 0o700 });
    rmSync(place.path, { force: true });
    await listenPrivately(server, place.path);
  } catch (error) {
    throw cannotListen(place.path, error);
  }
  // After it listens nothing more than a failed accept comes here; the client sees that itself.
  server.on('error', () => undefined);

  const removed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  return {
    close: async (deadline) => {
      refusing = true;
      server.close();
      const idle = Promise.all(
        [...sessions.keys()].map((session) => {
          session.refuse();
          return session.idle();
        }),
      );
      await Promise.race([idle, aborted(deadline)]);
      for (const session of sessions.keys()) session.drop();
      await Promise.race([removed, aborted(deadline)]);
      // Only clients that do not take their answers are left.
      for (const socket of sessions.values()) socket.destroy();
      if (place.folder !== null) rmdirSync(place.folder);
    },
  };
}

/** Node makes the socket in the call itself, so that the mask holds for nothing else. */
function listenPrivately(server: Server, path: string): Promise<void> {
  const listening = new Promise<void>((resolve, reject) => {
    server.once('listening', () => resolve());
    server.once('error', reject);
  });
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  return listening;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function cannotListen(path: string, error: unknown): Fault {
  const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new Fault(
    'failed',
    'cannot_listen',
    `The socket ${path} cannot be opened (${cause}). Check that this user may write to that directory and that its file system has Unix sockets.`,
    { path, cause },
    { cause: error },
  );
}
