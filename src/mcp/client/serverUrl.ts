import { Fault } from '../../platform/fault.js';
import { judgeUrl, type UrlPolicy } from '../../platform/net/urlGate.js';

/** The part of a server's URL that is recorded and shown. */
export interface ServerAddress {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

/** The local workspace is administered on this machine only, so it may use servers on it, and plain http. */
export function policyOf(workspace: string): UrlPolicy {
  const local = workspace === 'local';
  return { allowLoopback: local, httpsOnly: !local };
}

/**
 * Judges where a workspace may register a server.
 * @returns the URL as it will be dialled, and the part of it that is shown
 * @throws Fault `url_…` (usage) when it may not
 */
export function judgeServerUrl(url: string, workspace: string): { readonly url: string; readonly address: ServerAddress } {
  const verdict = judgeUrl(url, policyOf(workspace));
  if (!verdict.ok) throw new Fault('usage', verdict.code, verdict.message);
  const { href, protocol, hostname, port } = verdict.url;
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return { url: href, address: { scheme, host: hostname, port: port === '' ? standardPort[scheme] : Number(port) } };
}

const standardPort = { http: 80, https: 443 } as const;
