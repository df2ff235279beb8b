import type { MessagePort } from 'node:worker_threads';
import { readFailure } from '../failureOf.js';
import type { FromReader, ReadCall, ReadResult, ToReader } from './readerMessages.js';
import { openSqliteReader, type SqliteReader } from './sqliteReader.js';

function read(reader: SqliteReader, call: ReadCall): ReadResult {
  switch (call[0]) {
    case 'readStream':
      return reader.streamRows(call[1], call[2], call[3]);
    case 'readAll':
      return reader.allRows(call[1], call[2]);
    case 'head':
      return reader.head();
    case 'leafAt':
      return reader.leafAt(call[1]);
    case 'countAfter':
      return reader.countAfter(call[1]);
  }
}

function answer(reader: SqliteReader, call: ReadCall): FromReader {
  try {
    return { result: read(reader, call) };
  } catch (error) {
    return { failure: readFailure(error) };
  }
}

/** Reads a ledger: one answer for each `ToReader`, in order; first whether it could open the file. */
export function readerThread(port: MessagePort, file: string): void {
  const send = (message: FromReader): void => port.postMessage(message);

  function open(): SqliteReader | null {
    try {
      return openSqliteReader(file);
    } catch (error) {
      send({ failure: readFailure(error) });
      port.close();
      return null;
    }
  }

  const reader = open();
  if (reader === null) return;
  port.on('message', (message: ToReader) => {
    if (message === 'close') {
      reader.close();
      port.close();
    } else {
      send(answer(reader, message));
    }
  });
  send({ result: null });
}
