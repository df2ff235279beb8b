import { z } from 'zod';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { refusedFault } from '../refusedFault.js';

/** Gives up, on record, on an event that a view could not fold. */
export const skipParkedEvent = operation({
  name: 'skipParkedEvent',
  reach: 'owner',
  input: z.object({ view: z.string(), position: z.string() }),
  output: z.object({ eventId: z.string() }),
  async run({ handler, views }, { view, position }, { caller, signal }) {
    const parked = (await views.parked()).find((event) => event.view === view && event.position === position);
    if (parked === undefined) throw refusedFault({ code: 'not_parked' }, { view, position });
    const { eventId } = parked;
    const outcome = await handler.execute(
      ledgerOperationsDecider,
      ledgerOperationsStream,
      [{ type: 'SkipParked', parked: { projection: view, position, eventId } }],
      originOf(caller, 'local'),
    );
    if (outcome.kind === 'recorded') await views.caughtUpTo(outcome.position, { views: [view], signal });
    return { eventId };
  },
});
