import { builtInTools } from '../../../src/tools/builtin/all.js';

/**
 * How many events the first start leaves in an empty data directory: the definition of each built-in tool, which
 * tools they are, and that the workspace `local` is open.
 */
export const firstEvents = builtInTools.length + 2;
