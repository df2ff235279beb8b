import { makeCommandHandler } from '../../../commands/handler/ledgerCommandHandler.js';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../../commands/ledgerOperations.js';
import { ledgerPrivacyDecider, ledgerPrivacyStream } from '../../../commands/ledgerPrivacy.js';
import { catalogue } from '../../../events/catalogue/catalogue.js';
import { systemSubject } from '../../../events/envelope.js';
import { openSqliteStore } from '../../../events/sqlite/openSqliteStore.js';
import { systemClock } from '../../../platform/time/clock.js';
import { newId } from '../../../platform/ids.js';
import { newestOf, type Newest } from '../newest.js';

/** What a restored ledger begins with. */
export interface Beginning {
  readonly lastEpoch: number;
  readonly replaced: Newest | null;
  readonly actor: string;
  /** Whose erasure the copy does not know of. */
  readonly erased: readonly string[];
}

/**
 * Records in the copy where it comes from, and again who was erased since: without it, keys that come back would bring
 * them back. Needs no key: the events hold nothing personal.
 */
export async function beginEpoch(draft: string, { lastEpoch, replaced, actor, erased }: Beginning): Promise<number> {
  const store = await openSqliteStore({ file: draft, clock: systemClock, place: 'here' });
  try {
    const kept = newestOf(await store.head());
    const handler = makeCommandHandler({ store, keys: { keyOf: () => Promise.resolve(null) }, catalogue, clock: systemClock, newId, runner: newId(), cacheSize: 1, soleWriter: true });
    const origin = { actor, door: actor === systemSubject ? 'system' : 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;
    const { state } = await handler.execute(ledgerOperationsDecider, ledgerOperationsStream, [{ type: 'RecordRestore', restored: { kept, replaced }, lastEpoch }], origin);
    for (const subject of erased) {
      // A hold that was in force when the backup was made was released before the erasure.
      await handler.execute(ledgerPrivacyDecider, ledgerPrivacyStream, [{ type: 'Release', subject }, { type: 'Erase', subject }], origin);
    }
    return state.epoch;
  } finally {
    await store.close();
  }
}
