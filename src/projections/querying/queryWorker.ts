import { parentPort, workerData } from 'node:worker_threads';
import { queryThread, type QueryAccess } from './queryThread.js';

if (parentPort !== null) queryThread(parentPort, workerData as QueryAccess);
