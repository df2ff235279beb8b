import { z } from 'zod';
import { operation } from '../operation.js';

/** Builds views anew from the ledger beside the live ones, then switches over. */
export const rebuildProjections = operation({
  name: 'rebuildProjections',
  reach: 'owner',
  input: z.object({
    /** Which views; empty for all. */
    names: z.array(z.string()).default([]),
  }),
  output: z.object({
    views: z.array(z.object({ name: z.string(), events: z.int(), digest: z.string(), seconds: z.number() })),
  }),
  run: async ({ views }, { names }, { progress, signal }) => ({
    views: [...(await views.rebuild(names, (step) => progress({ ...step, views: [...step.views] }), signal))],
  }),
});
