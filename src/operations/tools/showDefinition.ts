import { z } from 'zod';
import { toolDefinitionStream } from '../../commands/toolDefinition.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import { sha256Hex } from '../../events/catalogue/words.js';
import { Fault } from '../../platform/fault.js';
import { operation } from '../operation.js';
import { iso, isoTime } from '../words.js';

/** The text of a definition as models were shown it, by the hash that calls name. */
export const showDefinition = operation({
  name: 'showDefinition',
  reach: 'ledger',
  input: z.object({ hash: sha256Hex }),
  output: z.object({ hash: sha256Hex, recordedAt: isoTime, definition: z.custom<RecordedToolDefinition>() }),
  async run({ ledger }, { hash }) {
    const [event] = await ledger.readStream(toolDefinitionStream(hash), 0, 1);
    const known = event === undefined ? null : catalogue.decode(event);
    if (event === undefined || known?.type !== 'ToolDefinitionRecorded') {
      throw new Fault('failed', 'definition_not_found', `No definition ${hash} is recorded here.`, { hash });
    }
    return { hash, recordedAt: iso(event.recordedAt), definition: known.data.definition };
  },
});
