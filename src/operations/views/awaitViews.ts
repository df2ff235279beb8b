import { z } from 'zod';
import { operation } from '../operation.js';

/** Waits until every view has folded what the ledger holds now, so that whoever opens them next sees it. */
export const awaitViews = operation({
  name: 'awaitViews',
  reach: 'owner',
  ifLost: 'It reads only: ask again.',
  input: z.object({}),
  output: z.object({ position: z.string().nullable() }),
  async run({ store, views }, _input, { signal }) {
    const head = await store.head();
    if (head !== null) await views.caughtUpTo(head.position, { signal });
    return { position: head?.position ?? null };
  },
});
