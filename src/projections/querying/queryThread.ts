import type { MessagePort } from 'node:worker_threads';
import { allProjections } from '../allProjections.js';
import { ReadFiles } from './readFiles.js';
import { isUseless } from '../readModel/readModelFile.js';
import { answerQuery } from './viewQueries.js';
import type { ViewQueries } from '../views.js';
import { answerCalls } from '../threads/workerCalls.js';

/** What the query worker is started with. */
export interface QueryAccess {
  readonly directory: string;
  readonly callText: boolean;
}

/** What the query worker answers. */
export interface QueryCalls {
  query: { input: { readonly name: keyof ViewQueries; readonly input: unknown }; output: unknown };
  /** Lets go of all files and holds back queries until `resume`. */
  pause: { input: null; output: null };
  resume: { input: null; output: null };
}

/** A file that a query needed is damaged; these views may be the ones. */
export interface QueryNews {
  readonly damaged: readonly string[];
}

/** Answers queries. */
export function queryThread(port: MessagePort, access: QueryAccess): void {
  const files = new ReadFiles(access.directory, allProjections(access));
  let paused: { readonly until: Promise<void>; readonly end: () => void } | null = null;

  const tell: (news: QueryNews) => void = answerCalls<QueryCalls>(port, {
    query: async ({ name, input }) => {
      while (paused !== null) await paused.until;
      const used: string[] = [];
      try {
        const open = (view: string): ReturnType<ReadFiles['view']> => (used.push(view), files.view(view));
        return answerQuery(open, name, input as never);
      } catch (error) {
        if (isUseless(error)) tell({ damaged: used });
        throw error;
      }
    },
    pause: () => {
      let end = (): void => undefined;
      paused ??= { until: new Promise<void>((resolve) => (end = resolve)), end: () => end() };
      files.close();
      return null;
    },
    resume: () => {
      const { end } = paused ?? { end: () => undefined };
      paused = null;
      end();
      return null;
    },
  });
  port.once('close', () => files.close());
}
