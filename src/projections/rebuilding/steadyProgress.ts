import type { RebuildProgress } from '../views.js';

/** Less than what is promised, in milliseconds, so that a late timer still keeps the promise. */
const longestSilence = 150;

/**
 * Passes on how a rebuild goes, and says the last word again while one step takes long: opening threads, writing files
 * to the disk, putting them in place.
 */
export function steadyProgress(
  views: readonly string[],
  onProgress: (progress: RebuildProgress) => void,
): { readonly hear: (progress: RebuildProgress) => void; readonly end: () => void } {
  let last: RebuildProgress = { views, phase: 'folding', done: 0, total: 0, eventsPerSecond: 0 };
  const again = setInterval(() => onProgress(last), longestSilence);
  return {
    hear(progress) {
      last = progress;
      again.refresh();
      onProgress(progress);
    },
    end: () => clearInterval(again),
  };
}
