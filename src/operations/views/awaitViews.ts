import { z } from 'zod';
import { operation } from '../operation.js';

/** Waits until every view that can has folded what the ledger holds now, so that whoever opens them next sees it. */
export const awaitViews = operation({
  name: 'awaitViews',
  reach: 'owner',
  ifLost: 'It reads only: ask again.',
  input: z.object({}),
  output: z.object({
    position: z.string().nullable(),
    /** Views that cannot follow the ledger now: what they show is older. */
    leftBehind: z.array(z.object({ view: z.string(), why: z.string() })).readonly(),
  }),
  async run({ store, views }, _input, { signal }) {
    const head = await store.head();
    if (head === null) return { position: null, leftBehind: [] };
    return { position: head.position, leftBehind: await views.caughtUpTo(head.position, { signal }) };
  },
});
