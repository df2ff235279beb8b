import { z } from 'zod';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import { exportFormats } from '../../events/catalogue/ledgerOperations.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { recordedConditions, resolvedConditions } from './conditions.js';

/** The newest signed checkpoint: the first `size` events, up to `position`, can be proved against it. */
const exportCheckpoint = z.object({ size: z.int(), position: z.string(), note: z.string() });

/** Puts an export on record; once, however often it is asked. */
export const recordExport = operation({
  name: 'recordExport',
  reach: 'owner',
  input: z.object({
    exportId: z.uuid(),
    format: z.enum(exportFormats),
    conditions: resolvedConditions,
    opened: z.boolean(),
    records: z.int(),
    first: z.string().nullable(),
    last: z.string().nullable(),
    bytes: z.int(),
    sha256: z.string(),
  }),
  output: z.object({ checkpoint: exportCheckpoint.nullable() }),
  async run({ handler, sealer }, { conditions, ...made }, { caller }) {
    const { filter, typed } = recordedConditions(conditions);
    await handler.execute(
      ledgerOperationsDecider,
      ledgerOperationsStream,
      [{ type: 'RecordExport', made: { ...made, filter }, reader: caller.actor, typed }],
      originOf(caller, 'local'),
    );
    const last = await sealer.latest();
    return { checkpoint: last === null ? null : { size: last.size, position: last.position, note: last.checkpoint } };
  },
});
