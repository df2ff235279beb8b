import { readFile, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { mostProofBytes, verifyProof, type VerifiedProof } from '../../../operations/ledger/verifyProof.js';
import { counted } from '../../../platform/text/counted.js';
import { Fault } from '../../../platform/fault.js';
import { refuseIrregular } from '../../../platform/files/regularFile.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, type CommandContext } from '../../commandContext.js';
import { jsonText } from '../../format/jsonText.js';
import { localTime } from '../../format/time.js';

/** `audit verify` */
export function verifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description('check a proof with nothing but a public key: needs no ledger and no network')
    .argument('<file>', 'made by `audit prove`')
    .option('--key <vkey>', "the ledger's public key, from somebody you trust; without it the file's own is used")
    .action(async (file: string, { key }: { key?: string }) => {
      print(context, verifyProof(await contentOf(file), key ?? null), shown);
    });
}

async function contentOf(file: string): Promise<Buffer> {
  refuseIrregular(file, 'The proof');
  try {
    if ((await stat(file)).size <= mostProofBytes) return await readFile(file);
  } catch (error) {
    const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Fault('usage', 'cannot_read', `${file} cannot be read (${cause}). Name a file that \`toolledger audit prove\` made.`, { cause });
  }
  throw new Fault('usage', 'file_too_large', `${file} is larger than a proof can be (${mostProofBytes} bytes).`, { limit: mostProofBytes });
}

function shown({ trusted, key, log, size, witnesses, events }: VerifiedProof): readonly string[] {
  return [
    trusted
      ? `The proof holds: its call (${counted(events.length, 'event')}) is in the ledger whose key you gave, as it was with ${counted(size, 'event')}.`
      : `The proof is whole: its call (${counted(events.length, 'event')}) is in a ledger of ${counted(size, 'event')}. Whose ledger that is, it cannot say: compare its key, or give the one you trust with --key.`,
    terminalSafe(`Key: ${key}`),
    terminalSafe(`Log: ${log}${witnesses.length === 0 ? '' : `, also signed by ${witnesses.join(', ')}`}`),
    ...events.flatMap((event) => [
      '',
      terminalSafe(`${localTime(event.recordedAt)}  ${event.type}  (event ${event.index + 1} of ${size})`),
      terminalSafe(`  by ${event.actor} through ${event.door}${event.onBehalfOf === null ? '' : `, on behalf of ${event.onBehalfOf}`}, workspace ${event.workspace}`),
      `  ${jsonText(event.data)}`,
      ...event.personal.map(({ subject, values }) => `  values of ${terminalSafe(subject)}: ${values === null ? '[sealed]' : jsonText(values)}`),
    ]),
  ];
}
