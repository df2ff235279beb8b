import { statSync } from 'node:fs';
import type { Finding } from '../cli/toolledger.js';
import { serversSeen } from '../operations/servers/serversSeen.js';
import { standingOf } from '../operations/servers/standingText.js';
import { counted } from '../platform/text/counted.js';
import { openViewReader } from './reader/viewReader.js';
import type { Session } from './session.js';

/** Looks how the registered servers of all workspaces stand, and whether the keys hold what it takes to reach them. Dials nothing. */
export async function examineServers(session: Session): Promise<Omit<Finding, 'check'>> {
  if (statSync(session.files.readModels, { throwIfNoEntry: false }) === undefined) return { state: 'ok', detail: 'none yet' };
  // How far the views are behind is said by another check.
  const reader = openViewReader(session, true);
  try {
    const { services } = reader;
    const { views, clock } = services;
    const workspaces = (await views.query('workspaces', {})).map(({ workspace }) => workspace);
    const servers = (await Promise.all(workspaces.map(async (workspace) => (await serversSeen(services, workspace)).map((server) => ({ ...server, workspace }))))).flat().filter(({ state }) => state !== 'removed');
    const lost = servers.flatMap(({ name, workspace, lost }) => (lost === null ? [] : [lost === 'address' ? `the address of ${name} (${workspace}) is not in the keys` : `the tokens of the account at ${name} (${workspace}) are not in the keys`]));
    if (lost.length > 0) return { state: 'warning', detail: `${lost.join('; ')}. Put back the keys that hold them with \`toolledger keys restore FILE\`; \`toolledger mcp list\` says what else can be done` };
    const out = servers.filter((server) => !['enabled', 'disabled'].includes(standingOf(server, clock.now(), server.workspace).state));
    if (out.length === 0) return { state: 'ok', detail: `${counted(servers.length, 'server')}, none is kept out of use` };
    return { state: 'ok', detail: `${counted(servers.length, 'server')}; out of use: ${out.map(({ name, workspace }) => `${name} (${workspace})`).join(', ')}; \`toolledger mcp list\` says why` };
  } finally {
    reader.close();
  }
}
