import type { RecordedEvent } from './envelope.js';
import type { EventReader } from './eventStore.js';

/** The events of a stream one by one from its end, so that what only needs the newest costs the same however old the stream is. */
export async function* newestFirst(reader: Pick<EventReader, 'readStream'>, stream: string): AsyncGenerator<RecordedEvent> {
  for (let revision = await lastRevision(reader, stream); revision >= 0; revision -= 1) {
    const [event] = await reader.readStream(stream, revision, 1);
    if (event === undefined) return;
    yield event;
  }
}

/** @returns -1 for a stream without events. Asks about as often as the number has bits. */
async function lastRevision(reader: Pick<EventReader, 'readStream'>, stream: string): Promise<number> {
  const isThere = async (revision: number): Promise<boolean> => (await reader.readStream(stream, revision, 1)).length > 0;
  let step = 1;
  while (await isThere(step - 1)) step *= 2;
  let last = Math.floor(step / 2) - 1;
  for (let half = Math.floor(step / 4); half >= 1; half = Math.floor(half / 2)) if (await isThere(last + half)) last += half;
  return last;
}
