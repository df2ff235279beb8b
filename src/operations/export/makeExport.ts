import { z } from 'zod';
import { exportFormats } from '../../events/catalogue/ledgerOperations.js';
import type { Position } from '../../events/envelope.js';
import type { Invoke } from '../operation.js';
import { iso } from '../words.js';
import { beginExport } from './beginExport.js';
import { resolvedConditions } from './conditions.js';
import { exportEvents, formats } from './exportEvents.js';
import { recordExport } from './recordExport.js';

/** What an export is and how far it has come: enough to go on with it elsewhere. */
export const exportState = z.strictObject({
  exportId: z.uuid(),
  format: z.enum(exportFormats),
  conditions: resolvedConditions,
  open: z.boolean(),
  /** Nothing after this belongs to it. */
  end: z.string(),
  /** The last event looked at; null before the first. */
  readTo: z.string().nullable(),
  records: z.int().nonnegative(),
  first: z.string().nullable(),
  last: z.string().nullable(),
});
export type ExportState = z.output<typeof exportState>;

/** Says what an export holds; the last thing that is written. An export without one is cut. */
export interface ExportManifest {
  readonly manifest: 'toolledger/export@1';
  readonly exportId: string;
  readonly format: ExportState['format'];
  readonly filter: object;
  readonly opened: boolean;
  readonly records: number;
  readonly first: Position | null;
  readonly last: Position | null;
  readonly bytes: number;
  readonly sha256: string;
  /** A signed checkpoint that covers every event in it; null when it holds none and nothing was sealed yet. */
  readonly checkpoint: z.output<typeof recordExport.output>['checkpoint'];
}

/** Where an export goes. */
export interface ExportTarget {
  /** Resolves when more can be taken. */
  write(text: string): Promise<void>;
  /** All that was written so far belongs to this state. */
  mark(state: ExportState): Promise<void>;
  /** Of all that was written, also before it was interrupted. */
  sums(): { readonly bytes: number; readonly sha256: string };
  finish(manifest: ExportManifest): Promise<void>;
}

/** A new export, or one that was interrupted. */
export type ExportWish = { readonly state: ExportState } | (z.input<typeof beginExport.input> & { readonly format: ExportState['format'] });

/**
 * Makes an export from its beginning, or from where it was interrupted, to its manifest, and puts it on record.
 * @throws Fault of the operations, and whatever the target throws; what was marked can be gone on with
 */
export async function makeExport(
  invoke: Invoke,
  wish: ExportWish,
  target: ExportTarget,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void },
): Promise<ExportManifest> {
  let state = await begun(invoke, wish, target, signal);
  const { exportId, format, conditions, open, end } = state;
  const take: z.input<typeof exportEvents.input>['take'] = async ({ text, records, first, last, readTo, done, total }) => {
    if (text !== '') await target.write(text);
    state = { ...state, readTo, records: state.records + records, first: state.first ?? first, last: last ?? state.last };
    await target.mark(state);
    onProgress({ done, total });
  };
  await invoke(exportEvents, { format, conditions, open, after: state.readTo, end, take }, { signal });
  const made = { exportId, format, opened: open, records: state.records, first: state.first, last: state.last, ...target.sums() };
  const { checkpoint } = await invoke(recordExport, { ...made, conditions }, { signal });
  const { since, until, ...others } = conditions;
  const filter = { ...(since !== undefined && { since: iso(since) }), ...(until !== undefined && { until: iso(until) }), ...others };
  const manifest: ExportManifest = { manifest: 'toolledger/export@1', ...made, filter, checkpoint };
  await target.finish(manifest);
  return manifest;
}

async function begun(invoke: Invoke, wish: ExportWish, target: ExportTarget, signal: AbortSignal): Promise<ExportState> {
  if ('state' in wish) {
    // Values are opened again, and views are asked again.
    await invoke(beginExport, { ...wish.state.conditions, open: wish.state.open }, { signal });
    return wish.state;
  }
  const { format, ...asked } = wish;
  const { exportId, conditions, end } = await invoke(beginExport, asked, { signal });
  const state = { exportId, format, conditions, open: asked.open, end, readTo: null, records: 0, first: null, last: null };
  await target.write(formats[format].head);
  await target.mark(state);
  return state;
}
