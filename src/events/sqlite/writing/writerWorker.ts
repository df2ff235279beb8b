import { parentPort, workerData } from 'node:worker_threads';
import { writerThread } from './writerThread.js';

if (parentPort !== null) writerThread(parentPort, workerData as string);
