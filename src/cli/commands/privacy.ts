import { Command } from 'commander';
import { erasePerson } from '../../operations/privacy/erasePerson.js';
import { holdPerson } from '../../operations/privacy/holdPerson.js';
import { releasePerson } from '../../operations/privacy/releasePerson.js';
import { print, toolledgerOf, type CommandContext } from '../commandContext.js';
import { exportPersonCommand } from './privacy/exportPerson.js';
import { Fault } from '../../platform/fault.js';

/** `privacy export|erase|hold|release` */
export function privacyCommand(context: CommandContext): Command {
  return new Command('privacy')
    .description("hand out a person's data, erase a person, legal holds")
    .addCommand(exportPersonCommand(context))
    .addCommand(eraseCommand(context))
    .addCommand(holdCommand(context))
    .addCommand(releaseCommand(context));
}

function eraseCommand(context: CommandContext): Command {
  return new Command('erase')
    .description('make everything of a person unreadable for ever; the ledger stays whole')
    .requiredOption('--user <id>', 'the person, by chat id')
    .option('--yes', 'do not ask')
    .action(async ({ user, yes }: { user: string; yes?: true }, command: Command) => {
      if (yes !== true && !(await context.terminal.confirm('Erase this person? Nothing brings their data back. [y/N] ', context.signal))) {
        throw new Fault('failed', 'not_confirmed', 'Nothing was erased.');
      }
      const erased = await toolledgerOf(context, command).invoke(erasePerson, { user }, { signal: context.signal });
      print(context, { ...erased, remains }, () => [
        `Erased. In the ledger they are ${erased.subject}, and nothing says any more who that was.`,
        ...remains,
        ...erased.unswept.map((file) => `Not finished: a process that reads ${unsweptNames[file]}, or the disk, keeps old pages in the files. The next start without that tries again; so does any further erase.`),
      ]);
    });
}

const unsweptNames = { keys: 'keys.db', text_index: 'the text index' } as const;

/** What people must know who erased somebody. */
const remains = [
  'What remains under that id: when they made which calls, how those ended and how large they were, keyed digests of arguments, and what tools keep in clear, such as the notation of a roll. Views and exports show [erased] for the rest.',
  'Older backups of the keys still open their values: let those expire. Restored beside this ledger, they lose this key again before anything is read; beside a ledger older than this, erase again.',
  'Should they come back, they are somebody new.',
];

function holdCommand(context: CommandContext): Command {
  return new Command('hold')
    .description('legal hold: a person cannot be erased, and their events keep their payloads')
    .requiredOption('--user <id>', 'the person, by chat id')
    .requiredOption('--because <text>', "the reason; it is sealed with the person's key")
    .action(async (options: { user: string; because: string }, command: Command) => {
      const held = await toolledgerOf(context, command).invoke(holdPerson, options, { signal: context.signal });
      print(context, held, () => [held.changed ? `${held.subject} is under a legal hold.` : `${held.subject} is under a legal hold already; nothing was recorded.`]);
    });
}

function releaseCommand(context: CommandContext): Command {
  return new Command('release')
    .description('end a legal hold')
    .requiredOption('--user <id>', 'the person, by chat id')
    .action(async (options: { user: string }, command: Command) => {
      const released = await toolledgerOf(context, command).invoke(releasePerson, options, { signal: context.signal });
      print(context, released, () => [released.changed ? `The legal hold of ${released.subject} is over.` : `${released.subject} is under no legal hold; nothing was recorded.`]);
    });
}
