import { join, resolve } from 'node:path';

/** Where everything lies in a data directory. */
export interface DataFiles {
  readonly directory: string;
  /** The events. Cannot be rebuilt. */
  readonly ledger: string;
  /** Subject keys, who a subject is, credentials. Cannot be rebuilt. */
  readonly keys: string;
  readonly masterKey: string;
  /** Views; disposable. */
  readonly readModels: string;
  /** Trees and checkpoints; the trees can be computed again. */
  readonly seals: string;
  readonly mcpToken: string;
}

/** @param directory absolute or relative to the working directory */
export function dataFiles(directory: string): DataFiles {
  const at = resolve(directory);
  return {
    directory: at,
    ledger: join(at, 'ledger.db'),
    keys: join(at, 'keys.db'),
    masterKey: join(at, 'master.key'),
    readModels: join(at, 'readmodels'),
    seals: join(at, 'seals'),
    mcpToken: join(at, 'mcp-token'),
  };
}
