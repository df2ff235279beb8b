import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../platform/sqlite/openDatabase.js';
import { openFailure } from './failureOf.js';
import { ledgerFormat } from './schema.js';
import { type AppendRequest, Writer } from './writer.js';
import { type FromWriter, type ToWriter, unpack } from './writerMessages.js';

const file = workerData as string;
const port = parentPort;

function send(message: FromWriter): void {
  port?.postMessage(message);
}

function open(): Writer | null {
  try {
    return new Writer(openDatabase(file, 'writer', ledgerFormat));
  } catch (error) {
    send({ opened: false, failure: openFailure(error, file) });
    return null;
  }
}

const writer = open();
if (port !== null && writer !== null) {
  port.on('message', (first: ToWriter) => {
    const requests: AppendRequest[] = [];
    let message: ToWriter | undefined = first;
    // Everything that arrived while the disk was busy goes into one transaction; nothing waits for company.
    while (message !== undefined && message !== 'close') {
      requests.push(...message.map(unpack));
      message = (receiveMessageOnPort(port) as { message: ToWriter } | undefined)?.message;
    }
    if (requests.length > 0) send({ outcomes: writer.commit(requests), breakage: writer.breakage });
    if (message === 'close') {
      writer.close();
      port.close();
    }
  });
  send({ opened: true });
}
