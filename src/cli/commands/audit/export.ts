import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { z } from 'zod';
import { exportFormats } from '../../../events/catalogue/ledgerOperations.js';
import type { beginExport } from '../../../operations/export/beginExport.js';
import { makeExport, type ExportTarget, type ExportWish } from '../../../operations/export/makeExport.js';
import { counted } from '../../../platform/text/counted.js';
import { Fault } from '../../../platform/fault.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { endProgress, print, progressLine, toolledgerOf, wordOption, type CommandContext } from '../../commandContext.js';
import { checkExport } from '../../exporting/checkExport.js';
import { exportFiles, isFinished, readJournal, refuseOverwriting } from '../../exporting/exportFiles.js';
import { newFile, resumedFile, tidyUp } from '../../exporting/fileTarget.js';
import { streamTarget } from '../../exporting/streamTarget.js';
import { withFilterOptions } from './filterOptions.js';

type Asked = Omit<z.input<typeof beginExport.input>, 'open'>;

interface Options {
  readonly format?: (typeof exportFormats)[number];
  readonly open?: true;
  readonly out?: string;
  readonly resume?: true;
}

/** After how many events a line says how far it is. */
const progressEvery = 10_000;

/** `audit export`: events as other programs read them. */
export function exportCommand(context: CommandContext): Command {
  return withFilterOptions(new Command('export').description('hand out events of any number, in the order of the ledger'))
    .option('--format <format>', exportFormats.join(', '), wordOption('format', exportFormats))
    .option('--out <file>', 'write into a file, with a manifest beside it; default: standard output, with the manifest on standard error')
    .option('--open', 'with personal values, which is recorded; otherwise they are [sealed]')
    .option('--resume', 'go on with an interrupted export to the file of --out, as it was asked for')
    .action(async ({ format, open, out, resume, ...asked }: Asked & Options, command: Command) => {
      if (out === '') throw new Fault('usage', 'no_file', '--out was given an empty text; it takes a file.');
      if (resume === true) {
        if (out === undefined) throw new Fault('usage', 'no_file', '--resume goes on with the file of --out; name it.');
        if (format !== undefined || open !== undefined || Object.keys(asked).length > 0) {
          throw new Fault('usage', 'resume_asks_nothing', '--resume goes on with what was asked for at the beginning; leave out the format, --open and the filters.');
        }
        await goOn(context, command, out);
        return;
      }
      if (format === undefined) throw new Fault('usage', 'no_format', `--format is missing; it is one of ${exportFormats.join(', ')}.`);
      const wish = { ...asked, format, open: open === true };
      if (out === undefined) await run(context, command, wish, streamTarget(context.terminal));
      else await begin(context, command, wish, out);
    });
}

/** `audit check-export`: needs no data directory. */
export function checkExportCommand(context: CommandContext): Command {
  return new Command('check-export')
    .description('compare an exported file with its manifest; says when it is cut or was changed')
    .argument('<file>')
    .action(async (file: string) => {
      print(context, await checkExport(file), (found) => [terminalSafe(`${found.file} is as it was exported: ${counted(found.records, 'record')}, SHA-256 ${found.sha256}.`)]);
    });
}

async function begin(context: CommandContext, command: Command, wish: ExportWish, out: string): Promise<void> {
  const files = exportFiles(out);
  refuseOverwriting(files);
  await intoFile(context, command, wish, out, await newFile(files));
}

async function goOn(context: CommandContext, command: Command, out: string): Promise<void> {
  const files = exportFiles(out);
  const { state, ...written } = readJournal(files);
  if (isFinished(files, state)) {
    tidyUp(files);
    print(context, { file: out, finished: true }, () => [terminalSafe(`${out} was finished already.`)]);
    return;
  }
  await intoFile(context, command, { state }, out, await resumedFile(files, written));
}

async function intoFile(context: CommandContext, command: Command, wish: ExportWish, out: string, target: Awaited<ReturnType<typeof newFile>>): Promise<void> {
  try {
    const manifest = await run(context, command, wish, target);
    await target.close();
    print(context, { file: out, ...manifest }, () => [
      terminalSafe(`${counted(manifest.records, 'record')} in ${out}; what is in it says ${exportFiles(out).manifest}.`),
      `SHA-256 ${manifest.sha256}`,
    ]);
  } catch (error) {
    await target.close();
    if (existsSync(exportFiles(out).journal)) context.terminal.err(terminalSafe(`The export to ${out} is not finished; go on with it by --out ${out} --resume.`) + '\n');
    throw error;
  }
}

async function run(context: CommandContext, command: Command, wish: ExportWish, target: ExportTarget) {
  const show = progressLine(context, (progress) => {
    const { done, total } = progress as { done: number; total: number };
    return `exporting: ${done} of ${counted(total, 'event')}`;
  });
  let shown = 0;
  try {
    return await makeExport(toolledgerOf(context, command).invoke, wish, target, {
      signal: context.signal,
      onProgress({ done, total }) {
        if (done - shown < progressEvery) return;
        shown = done;
        show({ done, total });
      },
    });
  } finally {
    endProgress(context);
  }
}
