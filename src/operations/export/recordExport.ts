import { z } from 'zod';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import { exportFormats } from '../../events/catalogue/ledgerOperations.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { recordedConditions, resolvedConditions } from './conditions.js';

/** A signed checkpoint: the first `size` events, up to `position`, can be proved against it. */
const exportCheckpoint = z.object({ size: z.int(), position: z.string(), note: z.string() });

/** Puts an export on record, once, however often it is asked; then sees to it that a signed checkpoint covers what it holds. */
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
    const origin = originOf(caller, 'local');
    const { filter, typed } = recordedConditions(conditions);
    await handler.execute(
      ledgerOperationsDecider,
      ledgerOperationsStream,
      [{ type: 'RecordExport', made: { ...made, filter }, reader: caller.actor, typed }],
      origin,
    );
    const seal = made.last === null ? await sealer.latest() : await sealer.cover(made.last, origin);
    return { checkpoint: seal === null ? null : { size: seal.size, position: seal.position, note: seal.checkpoint } };
  },
});
