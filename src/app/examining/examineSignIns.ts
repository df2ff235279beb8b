import { statSync } from 'node:fs';
import type { Finding } from '../../cli/toolledger.js';
import { mcpSignInDecider, mcpSignInStream } from '../../commands/mcpSignIn/mcpSignIn.js';
import type { EventReader } from '../../events/eventStore.js';
import { openSqliteReader } from '../../events/sqlite/reading/sqliteReader.js';
import { foldedWhile } from '../../operations/foldedWhile.js';
import { signInLifeMs } from '../../operations/servers/signIn/pending/pendingSignIn.js';
import type { SeenServer } from '../../operations/servers/serversSeen.js';
import { asynchronous } from '../reader/ledgerReader.js';
import { openViewReader } from '../reader/viewReader.js';
import type { Session } from '../session.js';
import { registeredServers } from './registeredServers.js';
import { lookAtPlace, type FoundThere } from './signInPlace.js';

type Judgement = Omit<Finding, 'check'>;

/** What waits for a person: servers that want an account, and sign-ins under way that want a browser. */
interface Waiting {
  readonly forAccount: readonly string[];
  readonly forBrowser: readonly string[];
}

/** Looks whether browsers come in where the settings say, and what waits for somebody to sign in. */
export async function examineSignIns(session: Session): Promise<Judgement> {
  const { config } = session;
  const waiting = statSync(session.files.readModels, { throwIfNoEntry: false }) === undefined ? { forAccount: [], forBrowser: [] } : await whatWaits(session);
  const port = config.oauthPort ?? config.port;
  if (port === 0) return judgement('ok', 'browsers come in at any free port', waiting);
  const here = `http://127.0.0.1:${port}`;
  const found = await lookAtPlace(here);
  const beyond = found.kind === 'pages' && config.publicUrl !== null ? await lookAtPlace(config.publicUrl) : null;
  return judgedPlace(here, found, { ...config, beyond }, waiting);
}

/**
 * Says what was found.
 * @param here where toolledger listens for browsers
 * @param beyond what was found at the public URL; null: it was not looked there
 */
export function judgedPlace(
  here: string,
  found: FoundThere,
  { publicUrl, oauthPort, beyond }: { readonly publicUrl: string | null; readonly oauthPort: number | null; readonly beyond: FoundThere | null },
  waiting: Waiting,
): Judgement {
  if (found.kind === 'other') {
    const setting = oauthPort === null ? 'TOOLLEDGER_PORT' : 'TOOLLEDGER_OAUTH_PORT';
    return judgement('problem', `another program is at ${here} (${found.detail}), so nobody can sign in there: stop it, or choose another port with ${setting}`, waiting);
  }
  if (found.kind === 'nobody') {
    const listens = `nobody listens at ${here}/oauth/ now; \`toolledger serve\` does, and \`toolledger mcp sign-in\` while it waits`;
    if (waiting.forBrowser.length === 0) return judgement('ok', listens, waiting);
    return judgement('warning', `a sign-in waits for the browser (${waiting.forBrowser.join(', ')}), and nobody listens at ${here}/oauth/: start \`toolledger serve\` and go on in the browser, or begin again`, waiting);
  }
  if (publicUrl === null || beyond === null) return judgement('ok', `browsers come in at ${here}/oauth/`, waiting);
  if (beyond.kind === 'pages') return judgement('ok', `browsers come in at ${publicUrl}/oauth/`, waiting);
  const what = beyond.kind === 'nobody' ? 'nobody answers there' : beyond.detail;
  return judgement('warning', `TOOLLEDGER_PUBLIC_URL does not lead to the pages of sign-ins, as seen from this machine: ${publicUrl}/oauth/ (${what}). Have it passed on to ${here}/oauth/`, waiting);
}

function judgement(state: Judgement['state'], place: string, { forAccount }: Waiting): Judgement {
  const waits = forAccount.length === 0 ? '' : `. Waiting for somebody to sign in: ${forAccount.join(', ')}; \`toolledger mcp list\` says how`;
  return { state, detail: place + waits };
}

async function whatWaits(session: Session): Promise<Waiting> {
  // How far the views are behind is said by another check.
  const reader = openViewReader(session, true);
  const ledger = openSqliteReader(session.files.ledger);
  try {
    const servers = await registeredServers(reader.services);
    const now = reader.services.clock.now();
    const under = await Promise.all(servers.map(async ({ serverId }) => isUnderWay(asynchronous(ledger), serverId, now)));
    const named = ({ name, workspace }: { readonly name: string; readonly workspace: string }): string => `${name} (${workspace})`;
    return { forAccount: servers.filter(waitsForAccount).map(named), forBrowser: servers.filter((_, index) => under[index]).map(named) };
  } finally {
    ledger.close();
    reader.close();
  }
}

function waitsForAccount({ state, connection: { parked } }: SeenServer): boolean {
  return state === 'enabled' && (parked?.reason === 'needs_sign_in' || parked?.reason === 'needs_reauthorization');
}

/** Whether a sign-in was begun that has not ended and whose time is not over. */
async function isUnderWay(ledger: Pick<EventReader, 'readStream'>, serverId: string, now: number): Promise<boolean> {
  const { state } = await foldedWhile(ledger, mcpSignInDecider, mcpSignInStream(serverId), () => true);
  return [...state.open.values()].some(({ since }) => since + signInLifeMs > now);
}
