import { parentPort, workerData } from 'node:worker_threads';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { allProjections } from '../allProjections.js';
import { rebuildSteps } from './rebuild.js';
import type { RebuildProgress, RebuildReport } from '../views.js';
import { answerCalls } from '../threads/workerCalls.js';
import { openInputs, type LedgerAccess } from '../folding/workerInputs.js';

/** What the rebuild worker answers. */
export interface RebuildCalls {
  /** Builds these views into temporary files. @returns null when it was cancelled; the files are gone then */
  build: { input: { readonly views: readonly string[] }; output: readonly RebuildReport[] | null };
  cancel: { input: null; output: null };
}

/** At most this long between two words on how it goes, in milliseconds; half of what is promised. */
const progressEvery = 125;
const access = workerData as LedgerAccess;
let cancelled = false;

if (parentPort === null) throw new Error('rebuildWorker runs as a worker thread');
const tell: (progress: RebuildProgress) => void = answerCalls<RebuildCalls>(parentPort, {
  build: async ({ views }) => {
    const projections = allProjections(access).filter(({ name }) => views.includes(name));
    const inputs = { ...openInputs(access), catalogue, projections, directory: access.directory, elapsed: () => performance.now() };
    const steps = rebuildSteps(inputs);
    for (let told = -Infinity; ; ) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const now = performance.now();
      if (now - told < progressEvery) continue;
      told = now;
      tell(step.value);
      // Lets a cancel come in.
      await new Promise((resolve) => setImmediate(resolve));
      if (!cancelled) continue;
      steps.return([]);
      return null;
    }
  },
  cancel: () => {
    cancelled = true;
    return null;
  },
});
