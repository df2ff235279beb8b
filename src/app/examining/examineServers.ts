import { statSync } from 'node:fs';
import type { Finding } from '../../cli/toolledger.js';
import { standingOf } from '../../operations/servers/standingText.js';
import { counted } from '../../platform/text/counted.js';
import { openViewReader } from '../reader/viewReader.js';
import type { Session } from '../session.js';
import { registeredServers } from './registeredServers.js';

const lostTexts = { address: 'the address of', token: 'the token of', tokens: 'the tokens of the account at' } as const;

/** Looks how the registered servers of all workspaces stand, and whether the keys hold what it takes to reach them. Dials nothing. */
export async function examineServers(session: Session): Promise<Omit<Finding, 'check'>> {
  if (statSync(session.files.readModels, { throwIfNoEntry: false }) === undefined) return { state: 'ok', detail: 'none yet' };
  // How far the views are behind is said by another check.
  const reader = openViewReader(session, true);
  try {
    const { clock } = reader.services;
    const servers = await registeredServers(reader.services);
    const lost = servers.flatMap(({ name, workspace, lost }) => (lost === null ? [] : [`${lostTexts[lost]} ${name} (${workspace})`]));
    if (lost.length > 0) return { state: 'warning', detail: `not in the keys: ${lost.join('; ')}. Put back the keys that hold them with \`toolledger keys restore FILE\`; \`toolledger mcp list\` says what else can be done` };
    const out = servers.filter((server) => !['enabled', 'disabled'].includes(standingOf(server, clock.now(), server.workspace).state));
    if (out.length === 0) return { state: 'ok', detail: `${counted(servers.length, 'server')}, none is kept out of use` };
    return { state: 'ok', detail: `${counted(servers.length, 'server')}; out of use: ${out.map(({ name, workspace }) => `${name} (${workspace})`).join(', ')}; \`toolledger mcp list\` says why` };
  } finally {
    reader.close();
  }
}
