import { Fault } from '../../platform/fault.js';
import { judgeUrl, portOf, type UrlPolicy } from '../../platform/net/urlGate.js';

/** The part of a server's URL that is recorded and shown. */
export interface ServerAddress {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

/** What the deployment adds to what workspaces may reach; see `UrlPolicy`. */
export type LocalReach = Pick<UrlPolicy, 'localOrigins' | 'ownPorts'>;

/** The local workspace is administered on this machine only, so it may use servers on it, and plain http. */
export function reachOf(workspace: string, { localOrigins, ownPorts }: LocalReach): UrlPolicy {
  const local = workspace === 'local';
  return { allowLoopback: local, httpsOnly: !local, localOrigins, ownPorts };
}

/**
 * Judges where a workspace may register a server.
 * @returns the URL as it will be dialled, and the part of it that is shown
 * @throws Fault `url_…` (usage) when it may not
 */
export function judgeServerUrl(url: string, workspace: string, reach: LocalReach): { readonly url: string; readonly address: ServerAddress } {
  const verdict = judgeUrl(url, reachOf(workspace, reach));
  if (!verdict.ok) throw new Fault('usage', verdict.code, verdict.message);
  const { href, protocol, hostname } = verdict.url;
  return { url: href, address: { scheme: protocol === 'https:' ? 'https' : 'http', host: hostname, port: portOf(verdict.url) } };
}
