import type { VaultReader } from '../../platform/vault/vaultReader.js';
import type { Caller } from '../../tools/call.js';

/** Who uses the command line, as far as somebody can say who only reads: the operator of this machine, once there is one. */
export function localCaller(keys: Pick<VaultReader, 'findSubject'>): Caller {
  return { actor: keys.findSubject({ kind: 'operator', id: 'local' }) ?? 'system', door: 'cli', onBehalfOf: null };
}
