import { z } from 'zod';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';

/** The newest signed checkpoint, as operators and reviewers see it. */
const seal = z.object({
  epoch: z.int(),
  /** How many events it covers. */
  size: z.int(),
  root: z.string(),
  /** Public key to hand to reviewers. */
  key: z.string(),
  checkpoint: z.string(),
});

/** Signs the ledger's head, with a new key when asked. `sealed` is false when there was nothing new to sign. */
export const sealLedger = operation({
  name: 'sealLedger',
  reach: 'owner',
  input: z.object({ rotateKey: z.boolean().default(false) }),
  output: z.object({ sealed: z.boolean(), seal: seal.nullable() }),
  async run({ sealer }, { rotateKey }, { caller }) {
    const origin = originOf(caller, 'local');
    const done = await (rotateKey ? sealer.rotateKey(origin) : sealer.seal(origin));
    if (done === null) return { sealed: false, seal: null };
    const { epoch, size, root, key, checkpoint } = done.seal;
    return { sealed: done.isNew, seal: { epoch, size, root, key, checkpoint } };
  },
});
