import { z } from 'zod';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import { ledgerPrivacyDecider, ledgerPrivacyStream } from '../../commands/ledgerPrivacy.js';
import { expendableCategories } from '../../events/catalogue/ledgerOperations.js';
import { Fault } from '../../platform/fault.js';
import { countExpired, dropExpired, type Expired } from '../../reactors/retention/dropExpired.js';
import type { Category } from '../../reactors/retention/expiredUnits.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import type { OwnerServices } from '../services.js';
import { iso, isoTime } from '../words.js';

const category = z.object({
  category: z.enum(expendableCategories),
  /** How long payloads are kept, milliseconds; null: for ever. */
  keepMs: z.number().nullable(),
  /** What was recorded before this has expired. */
  before: isoTime.nullable(),
  /** Calls, or counts of refusals. */
  units: z.int(),
  events: z.int(),
  kept: z.object({ open: z.int(), newer: z.int(), held: z.int() }),
  first: z.int().nullable(),
  last: z.int().nullable(),
});

/**
 * Says what has expired by the configured ages, and drops it when `through` repeats the position that was said before:
 * nothing goes that nobody has looked at.
 */
export const applyRetention = operation({
  name: 'applyRetention',
  reach: 'owner',
  isLong: true,
  input: z.object({
    /** The last event that may go, as a run without it has named it; another one is refused, unless nothing would go. */
    through: z.int().positive().optional(),
  }),
  output: z.object({
    categories: z.array(category),
    /** The last event that would go, or went; null when nothing has expired. */
    through: z.int().nullable(),
    /** Whether everything that would go lies in an export. */
    exported: z.boolean(),
    dropped: z.int(),
    /** Whether nothing of what was dropped, now or before, is left in files; null when nothing was to be dropped. */
    swept: z.boolean().nullable(),
  }),
  async run(services, { through }, { caller, progress, signal }) {
    const { clock, store, handler, retention, sealer, views } = services;
    const now = clock.now();
    const { held } = (await handler.load(ledgerPrivacyDecider, ledgerPrivacyStream)).state;
    const to = through ?? Number((await store.head())?.position ?? 0);
    const expiryOf = (of: Category, keepMs: number) => ({ category: of, recordedBefore: now - keepMs, from: 1, to, isHeld: (subject: string) => held.has(subject) });

    const categories = [];
    for (const each of expendableCategories) {
      const keepMs = retention[each];
      const expired = keepMs === null ? nothing : await countExpired({ store }, expiryOf(each, keepMs));
      categories.push({ category: each, keepMs, before: keepMs === null ? null : iso(now - keepMs), ...expired });
    }
    const last = categories.reduce<number | null>((most, each) => (each.last === null ? most : Math.max(most ?? 0, each.last)), null);
    const exported = await isExported(services, categories);
    if (through === undefined) return { categories, through: last, exported, dropped: 0, swept: null };
    if (last !== null && last !== through) throw notNamed(through, last);
    if (!exported) throw notExported(categories);

    const origin = originOf(caller, 'local');
    // The tree keeps the leaves of what goes: it must have them first.
    await sealer.seal(origin);
    let dropped = 0;
    for (const { category: each, keepMs } of categories) {
      if (keepMs === null) continue;
      const before = dropped;
      const told = (events: number): void => {
        dropped = before + events;
        progress({ dropped });
      };
      await dropExpired({ store, handler }, expiryOf(each, keepMs), origin, told, signal);
    }
    const head = await store.head();
    const leftBehind = head === null ? [] : await views.caughtUpTo(head.position, { signal });
    // Also when nothing was left to drop: a process that died may not have come to it.
    const swept = [await store.sweepDropped(), await views.sweep(), leftBehind.length === 0].every(Boolean);
    return { categories, through: last, exported, dropped, swept };
  },
});

const nothing: Expired = { units: 0, events: 0, kept: { open: 0, newer: 0, held: 0 }, first: null, last: null };

async function isExported({ handler }: Pick<OwnerServices, 'handler'>, categories: readonly Pick<Expired, 'first' | 'last'>[]): Promise<boolean> {
  const { handedOut } = (await handler.load(ledgerOperationsDecider, ledgerOperationsStream)).state;
  return categories.every(({ first, last }) => first === null || last === null || handedOut.some((stretch) => stretch.first <= first && stretch.last >= last));
}

/** Nothing goes that nobody has looked at, and a position that was not named was not looked at. */
function notNamed(through: number, last: number): Fault {
  return new Fault(
    'usage',
    'position_not_named',
    `Nothing was dropped: position ${through} is not what \`toolledger ledger retention\` names; of what has expired up to there the last event is at ${last}. Run it without --apply-through, look, and repeat the position it names.`,
    { through, last },
  );
}

function notExported(categories: readonly Pick<Expired, 'first' | 'last'>[]): Fault {
  const first = Math.min(...categories.flatMap(({ first: at }) => at ?? []));
  const last = Math.max(...categories.flatMap(({ last: at }) => at ?? []));
  return new Fault(
    'failed',
    'not_exported',
    `Nothing was dropped: no export holds every event from position ${first} to ${last}. Make one first, without filters: \`toolledger audit export --format jsonl --out FILE\`.`,
    { first, last },
  );
}
