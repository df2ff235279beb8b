import type { Config } from '../platform/config.js';
import type { Log } from '../platform/log.js';
import type { DataFiles } from './dataFiles.js';

/** One command at work on a data directory. */
export interface Session {
  readonly files: DataFiles;
  readonly config: Config;
  readonly log: Log;
  /** As others are told of it when they wait for it. */
  readonly command: string;
  /** Tells the person at the terminal something beside the answer. */
  readonly notice: (line: string) => void;
}
