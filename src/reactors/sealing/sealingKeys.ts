import { z } from 'zod';
import { Fault } from '../../platform/fault.js';
import { makeSigner, type NoteSigner } from '../../platform/tlog/noteKey.js';

const owner = 'ledger';
const name = 'sealing-key';
const seedBytes = 32;

/** Where the sealing key lies: the vault. */
export interface SecretStore {
  getSecret(ownerId: string, name: string): Promise<string | null>;
  putSecret(ownerId: string, name: string, value: string): Promise<void>;
}

/** The keys that may sign, of which the ledger says which one does. */
export interface SealingKeys {
  /** The random name of this ledger, which its checkpoints bear. */
  readonly ledger: string;
  /** Base64 of Ed25519 seeds: the key that signs; while the key is rotated, also the next one. */
  readonly seeds: readonly string[];
}

const stored = z.strictObject({ ledger: z.string().regex(/^[0-9a-f]{32}$/), seeds: z.array(z.base64()).min(1).max(2) });

/** @returns null when nothing was ever sealed with this vault */
export async function findSealingKeys(secrets: SecretStore): Promise<SealingKeys | null> {
  const text = await secrets.getSecret(owner, name);
  return text === null ? null : stored.parse(JSON.parse(text));
}

export async function saveSealingKeys(secrets: SecretStore, keys: SealingKeys): Promise<void> {
  await secrets.putSecret(owner, name, JSON.stringify(keys));
}

/**
 * Made, and in the vault, before anything is signed with it.
 * @param sealedBy vkey of the key that signed last, or null: a ledger that lost its keys keeps its name
 */
export async function findOrMakeSealingKeys(secrets: SecretStore, randomBytes: (size: number) => Buffer, sealedBy: string | null): Promise<SealingKeys> {
  const found = await findSealingKeys(secrets);
  if (found !== null) return found;
  const keys = { ledger: (sealedBy === null ? null : ledgerOf(sealedBy)) ?? randomBytes(16).toString('hex'), seeds: [newSeed(randomBytes)] };
  await saveSealingKeys(secrets, keys);
  return keys;
}

export function newSeed(randomBytes: (size: number) => Buffer): string {
  return randomBytes(seedBytes).toString('base64');
}

/** What the checkpoints of an epoch call their log. Trees of two epochs are two logs. */
export function originOf(ledger: string, epoch: number): string {
  return `toolledger.local/${ledger}/${epoch}`;
}

/** The name of the ledger in a vkey of one of its keys, or null when it is of another form. */
export function ledgerOf(vkey: string): string | null {
  return /^toolledger\.local\/([0-9a-f]{32})\//.exec(vkey)?.[1] ?? null;
}

/** The signer of an epoch with one of the keys. */
export function signerOf({ ledger }: SealingKeys, epoch: number, seed: string): NoteSigner {
  return makeSigner(originOf(ledger, epoch), Buffer.from(seed, 'base64'));
}

/**
 * The signer that the ledger says signs now.
 * @param expected vkey of any epoch, or null before the first seal
 * @param isNewEpoch nothing was sealed in this epoch: where that key is gone, another may sign
 * @throws Fault `sealing_key_lost` when the vault does not have the key it takes
 */
export function expectedSigner(keys: SealingKeys, epoch: number, expected: string | null, isNewEpoch: boolean): { readonly signer: NoteSigner; readonly seed: string } {
  const signers = keys.seeds.map((seed) => ({ seed, signer: signerOf(keys, epoch, seed) }));
  const found = signers.find(({ signer }) => expected !== null && publicPart(signer.verifier.vkey) === publicPart(expected)) ?? (isNewEpoch ? signers.at(-1) : undefined);
  if (found !== undefined) return found;
  throw new Fault(
    'failed',
    'sealing_key_lost',
    'The key that sealed the ledger is not in keys.db. Nothing was sealed; put back the keys.db that belongs to the ledger, or begin an epoch with a new key by `toolledger ledger accept-loss`.',
  );
}

/** Whether a key that the ledger names is among them. */
export function holdsKey(keys: SealingKeys | null, vkey: string): boolean {
  return keys?.seeds.some((seed) => publicPart(signerOf(keys, 1, seed).verifier.vkey) === publicPart(vkey)) === true;
}

/** The key without the name of the log it is used for. */
function publicPart(vkey: string): string {
  return vkey.replace(/^[^+]*\+[^+]*\+/, '');
}
