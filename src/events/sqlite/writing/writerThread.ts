import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { openDatabase } from '../../../platform/sqlite/openDatabase.js';
import { openFailure } from '../failureOf.js';
import { ledgerFormat } from '../schema.js';
import { type AppendRequest, Writer } from './writer.js';
import { type FromWriter, packOutcomes, type ToWriter, unpack } from './writerMessages.js';

/** Most appends in one commit. With 512 callers on a busy machine 256 and 512 were about equally quick, 128 a tenth slower. */
const mostAtOnce = 256;

/** Writes a ledger: what `FromWriter` says of what `ToWriter` asks. */
export function writerThread(port: MessagePort, file: string): void {
  const send = (message: FromWriter): void => port.postMessage(message);

  function open(): Writer | null {
    try {
      return new Writer(openDatabase(file, 'writer', ledgerFormat));
    } catch (error) {
      send({ opened: false, failure: openFailure(error, file) });
      port.close();
      return null;
    }
  }

  /** Commits in pieces, so that callers of one piece go on while the next is written. */
  function commit(writer: Writer, requests: readonly AppendRequest[]): void {
    for (let start = 0; start < requests.length; start += mostAtOnce) {
      const outcomes = packOutcomes(writer.commit(requests.slice(start, start + mostAtOnce)));
      port.postMessage({ outcomes, breakage: writer.breakage } satisfies FromWriter, [outcomes.numbers.buffer as ArrayBuffer]);
    }
  }

  const writer = open();
  if (writer === null) return;
  port.on('message', (first: ToWriter) => {
    const requests: AppendRequest[] = [];
    let message: ToWriter | undefined = first;
    // Everything that arrived while the disk was busy is written together; nothing waits for company.
    while (isAppends(message)) {
      requests.push(...message.map(unpack));
      message = (receiveMessageOnPort(port) as { message: ToWriter } | undefined)?.message;
    }
    commit(writer, requests);
    if (message === 'close') {
      writer.close();
      port.close();
    } else if (message === 'sweep') {
      send({ tidied: writer.sweep(), breakage: writer.breakage });
    } else if (message !== undefined && 'drop' in message) {
      send({ tidied: writer.drop(message.drop) ?? true, breakage: writer.breakage });
    }
  });
  send({ opened: true });
}

function isAppends(message: ToWriter | undefined): message is Extract<ToWriter, readonly unknown[]> {
  return Array.isArray(message);
}
