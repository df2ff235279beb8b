import type { Position } from '../../events/envelope.js';
import { allProjections } from '../allProjections.js';
import { readCheckpoint } from '../readModel/checkpoint.js';
import type { EventSource } from '../folding/eventSource.js';
import { ReadFiles } from './readFiles.js';
import { answerQuery } from './viewQueries.js';
import type { ViewQueries } from '../views.js';

/** How far a view is behind the ledger. */
export interface ViewBehind {
  readonly view: string;
  /** Position folded last; null: none yet. */
  readonly position: Position | null;
  /** How many events it has not seen. */
  readonly events: number;
}

/** The views as they lie on the disk, for a process that may not or need not write. */
export interface ReadOnlyViews {
  query<Name extends keyof ViewQueries>(name: Name, input: ViewQueries[Name]['input']): ViewQueries[Name]['output'];
  behind(): readonly ViewBehind[];
  close(): void;
}

/**
 * Reads the views in the calling thread, beside an owner that may go on folding. Nothing is caught up, made or repaired.
 * @param directory the one of the read models
 * @throws from its methods: Fault `cannot_open` and the like when a view's file is missing or cannot be read
 */
export function openReadOnlyViews(options: {
  readonly directory: string;
  readonly callText: boolean;
  readonly source: Pick<EventSource, 'countAfter'>;
}): ReadOnlyViews {
  const projections = allProjections(options);
  const files = new ReadFiles(options.directory, projections);
  return {
    query: (name, input) => answerQuery((view) => files.view(view), name, input),
    behind: () =>
      projections.map(({ name }) => {
        const db = files.view(name);
        const position = db === null ? null : (readCheckpoint(db)?.position ?? null);
        return { view: name, position, events: options.source.countAfter(position) };
      }),
    close: () => files.close(),
  };
}
