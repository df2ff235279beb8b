import { accessSync, constants, statSync } from 'node:fs';
import { openSqliteReader } from '../events/sqlite/reading/sqliteReader.js';
import type { Finding } from '../cli/toolledger.js';
import { counted } from '../platform/text/counted.js';
import { diskSpace } from '../platform/files/diskSpace.js';
import type { Fault } from '../platform/fault.js';
import { judgeAddress } from '../platform/net/addressGate.js';
import { requireStandardFetch } from '../platform/net/standardFetch.js';
import { openVaultReader, type VaultReader } from '../platform/vault/vaultReader.js';
import { openReadOnlyViews } from '../projections/querying/readOnlyViews.js';
import type { DataFiles } from './dataFiles.js';
import { examineServers } from './examining/examineServers.js';
import { examineSignIns } from './examining/examineSignIns.js';
import { readErasures } from './owner/erasures.js';
import { refuseForeignKeys, refuseMissingKeys } from './owner/keysMatch.js';
import { refuseLoss } from './owner/loss.js';
import { sealFilesOf } from './owner/sealing.js';
import { refuseSealLoss } from './owner/sealLoss.js';
import { asynchronous } from './reader/ledgerReader.js';
import type { Session } from './session.js';
import { version } from './version.js';

/** How far the newest event may lie ahead of the clock, in milliseconds. */
const clockTolerance = 5_000;

type Judgement = Omit<Finding, 'check'>;

/**
 * Checks what can be checked without changing anything; every check answers, whatever the others find.
 * @param misconfigured what is wrong with the settings; the session has defaults in their place
 */
export async function examine(session: Session, misconfigured: Fault | null): Promise<readonly Finding[]> {
  const checks: readonly (readonly [check: string, examine: () => Judgement | Promise<Judgement>])[] = [
    ['program', () => ok(`toolledger ${version} on Node.js ${process.versions.node}`)],
    ['configuration', () => (misconfigured === null ? ok(`data in ${session.files.directory}, port ${session.config.port}`) : problem(`${misconfigured.message} The rest is checked with the defaults of these settings.`))],
    ['data directory', () => dataDirectory(session.files)],
    ['ledger', () => ledger(session)],
    ['keys', () => keys(session)],
    ['views', () => views(session)],
    ['MCP servers', () => examineServers(session)],
    ['sign-ins', () => examineSignIns(session)],
    ['clock', () => clock(session.files)],
    ['disk', () => disk(session.files)],
    ['network guard', () => networkGuard(session)],
    ['fetch', fetchInUse],
  ];
  const findings: Finding[] = [];
  for (const [check, judge] of checks) findings.push({ check, ...(await judged(judge)) });
  return findings;
}

async function judged(judge: () => Judgement | Promise<Judgement>): Promise<Judgement> {
  try {
    return await judge();
  } catch (error) {
    return { state: 'problem', detail: error instanceof Error ? error.message : 'it could not be checked' };
  }
}

function dataDirectory({ directory }: DataFiles): Judgement {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return ok('not there yet; the first command makes it');
  if (!found.isDirectory()) return problem(`${directory} is not a directory; name another with --data`);
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem(`this user may not read and write ${directory}; change its owner or mode`);
  }
  return (found.mode & 0o077) === 0 ? ok('only this user may look into it') : warning(`others may look into ${directory}; run chmod 700 on it`);
}

async function ledger(session: Session): Promise<Judgement> {
  const { files } = session;
  if (statSync(files.ledger, { throwIfNoEntry: false }) === undefined) return ok('no event yet');
  const reader = openSqliteReader(files.ledger);
  try {
    const head = reader.head();
    await refuseLoss({ head: async () => head, leafAt: async (position) => reader.leafAt(position) }, files);
    await refuseSealLoss(asynchronous(reader), sealFilesOf(session), null);
    return ok(head === null ? 'no event yet' : `ends at position ${head.position}; \`toolledger ledger verify\` checks all of it`);
  } finally {
    reader.close();
  }
}

async function keys({ files, config }: Session): Promise<Judgement> {
  refuseMissingKeys(files);
  if (statSync(files.keys, { throwIfNoEntry: false }) === undefined) return ok('none yet');
  const reader = openVaultReader({ file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey });
  let backedUpAt: number | null;
  try {
    await refuseUnfitting(files, reader);
    backedUpAt = reader.backedUpAt();
  } finally {
    reader.close();
  }
  if (config.masterKey === null && ((statSync(files.masterKey, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0) return problem(`others may read ${files.masterKey}; run chmod 600 on it`);
  const by = config.masterKey === null ? `${files.masterKey}; keep a copy of it elsewhere, without it nothing sealed can be read` : 'TOOLLEDGER_MASTER_KEY';
  return backedUpAt === null
    ? warning(`they were never backed up, or not since the master key changed: run \`toolledger keys backup FILE\`. They open with ${by}`)
    : ok(`backed up ${new Date(backedUpAt).toISOString()}; open with ${by}`);
}

/** @throws Fault when a start would not go on with these keys */
async function refuseUnfitting(files: DataFiles, vault: VaultReader): Promise<void> {
  if (statSync(files.ledger, { throwIfNoEntry: false }) === undefined) return;
  const reader = openSqliteReader(files.ledger);
  try {
    const events = asynchronous(reader);
    const erasures = await readErasures(events, { erasedUpTo: () => null, lostUpTo: () => null });
    await refuseForeignKeys(events, { knows: async (subject) => vault.knows(subject) }, files, erasures);
  } finally {
    reader.close();
  }
}

function views({ files, config }: Session): Judgement {
  if (statSync(files.readModels, { throwIfNoEntry: false }) === undefined) return ok('none yet');
  const source = openSqliteReader(files.ledger);
  const open = openReadOnlyViews({ directory: files.readModels, callText: config.callTextIndex, source });
  try {
    const behind = open.behind().filter(({ events }) => events > 0);
    if (behind.length === 0) return ok('every view has caught up with the ledger');
    return ok(`behind by up to ${counted(Math.max(...behind.map(({ events }) => events)), 'event')}: ${behind.map(({ view }) => view).join(', ')}; the next command catches up`);
  } finally {
    open.close();
    source.close();
  }
}

function clock(files: DataFiles): Judgement {
  const now = Date.now();
  if (statSync(files.ledger, { throwIfNoEntry: false }) === undefined) return ok(new Date(now).toISOString());
  const reader = openSqliteReader(files.ledger);
  try {
    const ahead = (reader.head()?.recordedAt ?? 0) - now;
    return ahead > clockTolerance
      ? warning(`the clock is ${Math.round(ahead / 1000)} s behind the newest event; new events get its time until the clock has caught up`)
      : ok(new Date(now).toISOString());
  } finally {
    reader.close();
  }
}

function disk({ directory }: DataFiles): Judgement {
  if (statSync(directory, { throwIfNoEntry: false }) === undefined) return ok('nothing is stored yet');
  const { low, text } = diskSpace(directory);
  return low ? warning(`${text}; the ledger turns read-only when the disk is full`) : ok(text);
}

function networkGuard({ config }: Session): Judgement {
  // At their widest, as for a listed origin, and as for the local workspace.
  const never = ['169.254.169.254', '168.63.129.16', 'fd00:ec2::254'].filter((address) => judgeAddress(address, { allowLoopback: true, allowPrivate: true }).allowed);
  const unlisted = ['::ffff:10.0.0.1'].filter((address) => judgeAddress(address, { allowLoopback: true, allowPrivate: false }).allowed);
  const open = [...never, ...unlisted];
  if (open.length > 0) return problem(`would dial ${open.join(', ')}`);
  const listed = [...config.mcpAllowedLocalOrigins];
  const but = listed.length === 0 ? '' : ` unless MCP_ALLOWED_LOCAL_ORIGINS lists their origin: ${listed.join(', ')}`;
  return ok(`metadata and link-local addresses are refused, and private ones${but}`);
}

async function fetchInUse(): Promise<Judgement> {
  await requireStandardFetch(fetch);
  return ok("it is Node's own");
}

function ok(detail: string): Judgement {
  return { state: 'ok', detail };
}

function warning(detail: string): Judgement {
  return { state: 'warning', detail };
}

function problem(detail: string): Judgement {
  return { state: 'problem', detail };
}
