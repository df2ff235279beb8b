import { Option } from 'commander';

/** The workspace whose servers are meant. */
export function workspaceOption(): Option {
  return new Option('--workspace <id>', 'local, g<guild id> or d<subject>').default('local');
}
