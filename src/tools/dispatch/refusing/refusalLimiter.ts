const minuteMs = 60_000;

/** Refusals a minute and caller that are recorded singly; further ones are counted. */
const singleRefusalsPerMinute = 60;

/** Refusals of one caller in one minute that were not recorded singly. */
export interface CountedRefusals {
  readonly workspace: string;
  readonly caller: string;
  /** Start of the minute, milliseconds since the epoch. */
  readonly since: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly total: number;
}

/** Decides which refusals are recorded singly. Holds one window for each caller who was refused this minute. */
export interface RefusalLimiter {
  /**
   * Takes note of a refusal.
   * @returns whether it is to be recorded singly, and the counts of minutes that are over
   */
  note(refusal: { readonly workspace: string; readonly caller: string; readonly reasons: readonly string[]; readonly now: number }): {
    readonly single: boolean;
    readonly over: readonly CountedRefusals[];
  };
  /** Everything counted and not handed out yet; nothing is kept. */
  flush(): readonly CountedRefusals[];
}

interface Window {
  readonly workspace: string;
  readonly caller: string;
  readonly since: number;
  singles: number;
  readonly counts: Map<string, number>;
  total: number;
}

export function makeRefusalLimiter(): RefusalLimiter {
  const windows = new Map<string, Window>();

  /** A clock that was set back ends a minute as well, so that no window stays for ever. */
  function takeOver(minute: number): readonly CountedRefusals[] {
    const over: CountedRefusals[] = [];
    for (const [key, window] of windows) {
      if (window.since === minute) continue;
      windows.delete(key);
      if (window.total > 0) over.push(countsOf(window));
    }
    return over;
  }

  return {
    note({ workspace, caller, reasons, now }) {
      const since = Math.floor(now / minuteMs) * minuteMs;
      const over = takeOver(since);
      const key = `${workspace} ${caller}`;
      const window = windows.get(key) ?? { workspace, caller, since, singles: 0, counts: new Map<string, number>(), total: 0 };
      windows.set(key, window);
      if (window.singles < singleRefusalsPerMinute) {
        window.singles += 1;
        return { single: true, over };
      }
      window.total += 1;
      for (const reason of reasons) window.counts.set(reason, (window.counts.get(reason) ?? 0) + 1);
      return { single: false, over };
    },
    flush: () => takeOver(Number.NaN),
  };
}

function countsOf({ workspace, caller, since, counts, total }: Window): CountedRefusals {
  return { workspace, caller, since, counts: Object.fromEntries(counts), total };
}
