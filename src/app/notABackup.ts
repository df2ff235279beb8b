import { closeSync, openSync, readSync } from 'node:fs';
import { ledgerFormat } from '../events/sqlite/schema.js';
import { Fault } from '../platform/fault.js';
import { vaultFormat } from '../platform/vault/vaultFormat.js';

/** How an SQLite file begins, and where in it the application's id is. */
const magic = 'SQLite format 3\0';
const headerBytes = 100;
const applicationIdAt = 68;

const kinds = {
  ledger: { known: 'a ledger', made: 'toolledger ledger backup' },
  keys: { known: 'keys', made: 'toolledger keys backup' },
} as const;

/** The fault for a file that was named as a backup of the ledger or the keys and is something else; says what it is. */
export function notABackup(file: string, wanted: keyof typeof kinds): Fault {
  const { known, made } = kinds[wanted];
  return new Fault('usage', 'not_a_backup', `${file} is no backup of ${wanted === 'keys' ? known : 'the ledger'}: it ${whatIsIn(file)}. Nothing was changed; name a file that \`${made}\` made.`, { file });
}

function whatIsIn(file: string): string {
  const header = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, 'r');
  const size = readSync(descriptor, header, 0, headerBytes, 0);
  closeSync(descriptor);
  if (size === 0) return 'is empty';
  if (header.toString('latin1', 0, magic.length) !== magic) return 'is no database';
  switch (header.readUInt32BE(applicationIdAt)) {
    case ledgerFormat.applicationId:
      return `holds ${kinds.ledger.known}`;
    case vaultFormat.applicationId:
      return `holds ${kinds.keys.known}`;
    default:
      return 'is the database of another program';
  }
}
