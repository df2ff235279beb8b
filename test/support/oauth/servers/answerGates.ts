import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** An answer that a server has made and not sent. */
export interface HeldAnswer {
  /** Resolves when it is made: what it cost is spent by then. */
  readonly made: Promise<void>;
  /** Lets it go out. */
  readonly release: () => void;
}

/** Stands where made answers go out; each thing asked of it holds for one answer. */
export interface AnswerGates {
  /** Holds the next answer back. */
  readonly hold: () => HeldAnswer;
  /** Cuts the connection instead of sending the next answer; resolves when that has happened. */
  readonly cut: () => Promise<void>;
  /** Resolves when an answer that was made may go out, or must not. */
  pass(response: ServerResponse): Promise<boolean>;
}

export function newAnswerGates(): AnswerGates {
  const gates: ((response: ServerResponse) => Promise<boolean>)[] = [];
  return {
    hold() {
      const made = newSignal();
      const released = newSignal();
      gates.push(async () => {
        made.give();
        await released.given;
        return true;
      });
      return { made: made.given, release: released.give };
    },
    cut() {
      const cut = newSignal();
      gates.push(async (response) => {
        response.destroy();
        await once(response, 'close');
        cut.give();
        return false;
      });
      return cut.given;
    },
    pass: async (response) => (await gates.shift()?.(response)) ?? true,
  };
}

interface Signal {
  readonly given: Promise<void>;
  readonly give: () => void;
}

function newSignal(): Signal {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
