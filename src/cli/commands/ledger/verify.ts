import { Command } from 'commander';
import { verifyLedger } from '../../../operations/ledger/verifyLedger.js';
import { Fault } from '../../../platform/fault.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { endProgress, print, progressLine, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { verifyProgress } from './verifyProgress.js';
import { counted } from '../../../platform/text/counted.js';

type Epoch = Awaited<ReturnType<(typeof verifyLedger)['run']>>['epochs'][number];

/** What is damaged and what to do, where it is not the ledger itself, by the kind of damage. */
const beside: { readonly [kind: string]: readonly [what: string, remedy: string] } = {
  tile: ['The tiles beside the ledger are damaged', 'Remove the directory `tile` in which it lies; `toolledger ledger seal` makes it again.'],
  log: ['The checkpoint log is not whole', 'Put the right file back; when it is gone for good, name another file with CHECKPOINT_LOG, which begins a new log.'],
};
/** Of an epoch that is over nobody makes anything again. */
const pastSeals = ['What is kept of an earlier epoch is damaged', 'Where it is a file in `seals`, put the directory of that epoch back, or remove it: the present epoch does not need it.'] as const;

/** `ledger verify` */
export function verifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description('check every event, the tree over them and every signed checkpoint; exit code 3 when something is damaged')
    .option('--from-checkpoint', 'believe the newest seal and check only what came after it')
    .action(async ({ fromCheckpoint }: { fromCheckpoint?: boolean }, command: Command) => {
      const report = await toolledgerOf(context, command).invoke(
        verifyLedger,
        { fromCheckpoint: fromCheckpoint === true },
        { signal: context.signal, onProgress: progressLine(context, verifyProgress) },
      );
      endProgress(context);
      const { events, damage, skipped, sealed, outside, epochs } = report;
      if (damage !== null) {
        const { position, kind, detail } = damage;
        const ledger = `The ledger is damaged${position === null ? '' : ` at position ${position}`}`;
        const [what, remedy] = kind === 'epoch' ? pastSeals : (beside[kind] ?? [ledger, '']);
        throw new Fault('damaged', kind, `${what}: ${detail}.${remedy === '' ? '' : ` ${remedy}`}`, { position, events });
      }
      print(context, { events, ok: true, skipped, sealed, outside, epochs }, () => [
        skipped === 0 ? `As they were written: ${counted(events, 'event')}.` : `As they were written: ${counted(events - skipped, 'event')}; ${skipped} before that taken from the newest seal, unread.`,
        sealed === 0 ? 'Nothing of it is sealed: whoever can write to its files could have rewritten all of it.' : `As they were signed: the first ${counted(sealed, 'event')}, compared with ${counted(outside, 'signed checkpoint')} (seals/ and CHECKPOINT_LOG).`,
        ...(epochs.length > 1 ? epochs.map((epoch) => terminalSafe(epochLine(epoch))) : []),
      ]);
    });
}

function epochLine({ epoch, kept, sealed, signed, seals }: Epoch): string {
  if (kept === null) return `Epoch ${epoch} is the present one; ${sealed === 0 ? 'nothing was sealed in it yet' : `its newest seal covers ${counted(sealed, 'event')}`}.`;
  const last = signed === 0 ? 'no checkpoint of it is known' : `its last checkpoint that is known tells of ${signed}${signed > kept ? ', of which the rest was given up' : ''}`;
  return `Epoch ${epoch} ended with ${counted(kept, 'event')} kept; ${last}. ${seals === null ? '' : sealsText[seals]}`.trimEnd();
}

const sealsText: { readonly [State in NonNullable<Epoch['seals']>]: string } = {
  gone: 'Its tree is not in seals/ any more.',
  as_signed: 'Its tree in seals/ is as it was signed, and begins with what was kept.',
  unknown_key: 'Its tree in seals/ begins with what was kept, and is signed by a key that the ledger does not know.',
  given_up: 'Its tree in seals/ is one of events that were given up.',
};
