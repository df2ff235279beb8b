import { parentPort, workerData } from 'node:worker_threads';
import { projectionThread } from './projectionThread.js';
import type { LedgerAccess } from './workerInputs.js';

if (parentPort !== null) projectionThread(parentPort, workerData as LedgerAccess);
