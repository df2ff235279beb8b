import { Agent, buildConnector } from 'undici';
import type { AddressVerdict } from './addressGate.js';
import { guardedLookup, type Resolve } from './guardedLookup.js';
import { NetFault, netFaultIn } from './netFault.js';

/** Most sockets to one server at a time; further requests wait, unsent. */
const maxSockets = 32;

export interface GuardedAgentOptions {
  /** Judges an address that the name in an origin resolves to. Addresses written in URLs are judged by whoever asks. */
  readonly judge: (origin: string, address: string) => AddressVerdict;
  readonly resolve: Resolve;
  /** Longest time for resolving, TCP and TLS together, in milliseconds. */
  readonly connectMs: number;
}

/**
 * Connections that only reach judged addresses. Every failure to connect is a `NetFault`, so that it is told apart
 * from a failure after something was sent.
 */
export function guardedAgent({ judge, resolve, connectMs }: GuardedAgentOptions): Agent {
  // What an origin may reach depends on its scheme and port, of which a lookup is told nothing: each has its own.
  const connectors = new Map<string, buildConnector.connector>();
  const connectorFor = ({ protocol, hostname, port }: buildConnector.Options): buildConnector.connector => {
    const origin = `${protocol}//${hostname}${port === '' ? '' : `:${port}`}`;
    const known = connectors.get(origin);
    if (known !== undefined) return known;
    const made = buildConnector({ lookup: guardedLookup(resolve, (address) => judge(origin, address)), timeout: connectMs });
    connectors.set(origin, made);
    return made;
  };
  return new Agent({
    connections: maxSockets,
    // Both are bounded by whoever waits: a quiet event stream is not a dead one.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      connectorFor(target)(target, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(connectFault(error, target), null);
      });
    },
  });
}

function connectFault(error: Error, target: buildConnector.Options): NetFault {
  const known = netFaultIn(error);
  if (known !== null) return known;
  const where = `${target.hostname}${target.port === '' ? '' : `:${target.port}`}`;
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new NetFault('connect_timeout', `No connection to ${where} within the time allowed.`, { cause: error });
  }
  if (target.protocol === 'https:' && !/^E(CONN|HOST|NET|ADDR|PIPE)/.test(code)) {
    if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
      return new NetFault('tls_failed', `What listens at ${where} does not speak TLS (${code}). If it is a plain http server, write http: in the URL; without a setting only the workspace local may use those.`, { cause: error });
    }
    return new NetFault('tls_failed', `No secure connection to ${where} (${code}). Check the server's certificate.`, { cause: error });
  }
  return new NetFault('connect_failed', `No connection to ${where} (${code}). Is the server running?`, { cause: error });
}

function codeOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown error';
}
