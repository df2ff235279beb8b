import { join } from 'node:path';
import Database from 'better-sqlite3';
import { grantStore, type StoredGrant } from '../../../src/mcp/client/grants/storedGrant.js';
import type { PendingSignIn } from '../../../src/operations/servers/signIn/pending/pendingSignIn.js';
import { signInStore, type VersionedSignIn } from '../../../src/operations/servers/signIn/pending/signInStore.js';
import { systemClock } from '../../../src/platform/time/clock.js';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';

/** What is on record of sign-ins: each event as its type, and its reason where it has one. Read without the product's code. */
export function signInRecord(data: string): readonly string[] {
  const rows = inFile(join(data, 'ledger.db'), "SELECT type, data FROM events WHERE stream LIKE 'mcpSignIn-%' ORDER BY position") as { type: string; data: string }[];
  return rows.map(({ type, data: facts }) => [type, (JSON.parse(facts) as { reason?: string }).reason].join(' ').trim());
}

/** Everything that a request could change: how far the ledger goes, and each secret with its version. */
export function traceOf(data: string): readonly unknown[] {
  return [...inFile(join(data, 'ledger.db'), 'SELECT max(position) FROM events'), ...inFile(join(data, 'keys.db'), 'SELECT owner, name, version FROM secrets ORDER BY owner, name')];
}

/** The names of the secrets in the vault, e.g. `grant`. */
export function secretNames(data: string): readonly string[] {
  return (inFile(join(data, 'keys.db'), 'SELECT name FROM secrets ORDER BY name') as { name: string }[]).map(({ name }) => name);
}

function inFile(file: string, query: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare(query).all();
  } finally {
    db.close();
  }
}

/** Changes the newest sign-in under way where it lies, beside whoever owns the data directory. */
export async function changeSignIn(data: string, change: (pending: PendingSignIn) => PendingSignIn | Promise<PendingSignIn>): Promise<void> {
  await withSignIns(data, async (store, found) => {
    if ((await store.swap(await change(found.pending), found.version)) === null) throw new Error('the sign-in changed meanwhile');
  });
}

/** Everything secret of the newest sign-in under way. */
export async function readSignIn(data: string): Promise<PendingSignIn> {
  return withSignIns(data, async (_store, { pending }) => pending);
}

/** The account of the only server that has one. */
export async function readGrant(data: string): Promise<StoredGrant> {
  return withVault(data, async (vault) => {
    const store = grantStore(vault);
    const [serverId = ''] = await store.all();
    const stored = await store.read(serverId);
    if (stored === null) throw new Error('nobody is signed in');
    return stored.grant;
  });
}

function withSignIns<T>(data: string, use: (store: ReturnType<typeof signInStore>, newest: VersionedSignIn) => Promise<T>): Promise<T> {
  return withVault(data, async (vault) => {
    const store = signInStore(vault);
    const newest = [...(await store.all())].sort((one, other) => (one.pending.signInId < other.pending.signInId ? -1 : 1)).at(-1);
    if (newest === undefined) throw new Error('no sign-in is under way');
    return use(store, newest);
  });
}

async function withVault<T>(data: string, use: (vault: Vault) => Promise<T>): Promise<T> {
  const vault = openVault({ file: join(data, 'keys.db'), masterKeyFile: join(data, 'master.key'), masterKey: null, clock: systemClock });
  try {
    return await use(vault);
  } finally {
    vault.close();
  }
}
