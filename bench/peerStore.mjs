import { loadPeer } from './peer.mjs';

const mostTries = 5;

/**
 * The peer's store with what it needs to be used by several callers. It takes one append at a time: all callers share
 * one connection and one transaction counter, and the first to finish closes it. Appends at once are therefore put in a
 * row, and one that meets its occasional SQLITE_BUSY is tried again.
 */
export async function openPeerStore(file) {
  const { getSQLiteEventStore } = await loadPeer();
  const store = getSQLiteEventStore({ fileName: file });
  let last = Promise.resolve();
  const tried = async (stream, events, expected) => {
    for (let count = 1; ; count += 1) {
      try {
        return await store.appendToStream(stream, events, { expectedStreamVersion: expected });
      } catch (error) {
        if (error.code !== 'SQLITE_BUSY' || count === mostTries) throw error;
      }
    }
  };
  return {
    store,
    append(stream, events, expected) {
      const appended = last.then(() => tried(stream, events, expected));
      last = appended.catch(() => undefined);
      return appended;
    },
  };
}

/** One of our events in the peer's form, with the same content. */
export function peerEvent({ type, data, ...metadata }) {
  return { type, data: JSON.parse(data), metadata };
}
