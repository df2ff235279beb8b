import { Command } from 'commander';
import { listParkedEvents } from '../../operations/views/listParkedEvents.js';
import { projectionsStatus } from '../../operations/views/projectionsStatus.js';
import { rebuildProjections } from '../../operations/views/rebuildProjections.js';
import { retryParkedEvents } from '../../operations/views/retryParkedEvents.js';
import { skipParkedEvent } from '../../operations/views/skipParkedEvent.js';
import { counted } from '../../platform/text/counted.js';
import { Fault } from '../../platform/fault.js';
import type { JsonValue } from '../../platform/json.js';
import { endProgress, print, progressLine, rows, toolledgerOf, type CommandContext } from '../commandContext.js';

/** `projections status|rebuild|parked` */
export function projectionsCommand(context: CommandContext): Command {
  return new Command('projections')
    .description('operate the views that are derived from the ledger')
    .addCommand(statusCommand(context))
    .addCommand(rebuildCommand(context))
    .addCommand(parkedCommand(context));
}

function statusCommand(context: CommandContext): Command {
  return new Command('status').description('how far each view is').action(async (_options: object, command: Command) => {
    const { views } = await toolledgerOf(context, command).invoke(projectionsStatus, {}, { signal: context.signal });
    print(context, { views }, () =>
      rows(
        context,
        views,
        [
          { title: 'view', cell: ({ name, version }) => `${name}@${version}` },
          { title: 'phase', cell: ({ phase }) => phase },
          { title: 'position', cell: ({ position }) => position ?? '-' },
          { title: 'lag', cell: ({ lagEvents, lagSeconds }) => `${counted(lagEvents, 'event')}, ${lagSeconds} s` },
          { title: 'parked', cell: ({ parked }) => String(parked) },
          { title: 'problem', cell: ({ problem }) => problem ?? '', grows: true },
        ],
        'There are no views.',
      ),
    );
  });
}

function rebuildCommand(context: CommandContext): Command {
  return new Command('rebuild')
    .description('build views anew from the ledger; the old ones serve until the new ones have caught up')
    .argument('[names...]', 'which views')
    .option('--all', 'every view')
    .action(async (names: string[], { all }: { all?: boolean }, command: Command) => {
      if ((names.length === 0) !== (all === true)) {
        throw new Fault('usage', 'nothing_named', 'Name the views to rebuild, or give --all; `toolledger projections status` lists them.');
      }
      const report = await toolledgerOf(context, command).invoke(
        rebuildProjections,
        { names },
        { signal: context.signal, onProgress: progressLine(context, rebuildProgress) },
      );
      endProgress(context);
      print(context, report, () =>
        rows(
          context,
          report.views,
          [
            { title: 'view', cell: ({ name }) => name },
            { title: 'events', cell: ({ events }) => String(events) },
            { title: 'seconds', cell: ({ seconds }) => seconds.toFixed(1) },
            { title: 'digest', cell: ({ digest }) => digest, grows: true },
          ],
          'Nothing was rebuilt.',
        ),
      );
    });
}

function rebuildProgress(progress: JsonValue): string {
  const { phase, done, total, eventsPerSecond } = progress as { phase: string; done: number; total: number; eventsPerSecond: number };
  return `rebuilding: ${phase}, ${done} of ${counted(total, 'event')}, ${Math.round(eventsPerSecond)} events/s`;
}

function parkedCommand(context: CommandContext): Command {
  const parked = new Command('parked').description('events that a view could not fold and set aside');
  parked.action(async (_options: object, command: Command) => {
    const answer = await toolledgerOf(context, command).invoke(listParkedEvents, {}, { signal: context.signal });
    print(context, answer, () =>
      rows(
        context,
        answer.parked,
        [
          { title: 'view', cell: ({ view }) => view },
          { title: 'position', cell: ({ position }) => position },
          { title: 'type', cell: ({ type }) => type },
          { title: 'attempts', cell: ({ attempts }) => String(attempts) },
          { title: 'error', cell: ({ error }) => error, grows: true },
        ],
        'Nothing is parked.',
      ),
    );
  });
  parked
    .command('retry')
    .description('try the parked events of a view again')
    .argument('<view>')
    .action(async (view: string, _options: object, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(retryParkedEvents, { view }, { signal: context.signal });
      if (answer.stillParked > 0) context.setExitCode(1);
      print(context, answer, () => [`Still parked in ${view}: ${counted(answer.stillParked, 'event')}.`]);
    });
  parked
    .command('skip')
    .description('give up on one parked event, on record')
    .argument('<view>')
    .argument('<position>')
    .action(async (view: string, position: string, _options: object, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(skipParkedEvent, { view, position }, { signal: context.signal });
      print(context, answer, () => [`Event ${answer.eventId} at position ${position} is skipped in ${view}.`]);
    });
  return parked;
}
