import { parentPort, workerData } from 'node:worker_threads';
import { readerThread } from './readerThread.js';

if (parentPort !== null) readerThread(parentPort, workerData as string);
