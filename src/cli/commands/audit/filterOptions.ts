import type { Command } from 'commander';
import { callOutcomes } from '../../../operations/words.js';
import { whenOption, wordOption } from '../../commandContext.js';

/** Adds the options by which calls are found; commander gives them under the names that `callConditions` takes. */
export function withFilterOptions(command: Command): Command {
  return command
    .option('--since <time>', 'recorded at or after: ISO 8601 with offset, a date, or an age like 15m, 24h, 7d', whenOption)
    .option('--until <time>', 'recorded before', whenOption)
    .option('--workspace <id>')
    .option('--channel <id>')
    .option('--user <id>', 'a person, by chat id')
    .option('--subject <id>', 'a person, by ledger id')
    .option('--tool <name>')
    .option('--server <name>', 'an MCP server, by name or id')
    .option('--outcome <outcome>', callOutcomes.join(', '), wordOption('outcome', callOutcomes))
    .option('--reason <code>', 'a reason code of a refusal or failure')
    .option('--text <words>', 'words that must all occur; end a word with * for a prefix');
}
