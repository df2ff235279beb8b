import { z } from 'zod';
import { Fault } from '../../../platform/fault.js';
import { operation } from '../../operation.js';
import type { OwnerServices } from '../../services.js';
import { clientSources, iso, isoTime, workspaceId } from '../../words.js';
import { refuseClosed } from '../../workspaces/requireOpen.js';
import { foundTools } from '../registering/foundTools.js';
import { serverNamed } from '../serverNamed.js';
import { commandsFor } from './commandsFor.js';
import { expireInTime } from './ending/expireInTime.js';
import type { PendingSignIn } from './pending/pendingSignIn.js';
import { wordOf } from './pending/signInWord.js';
import { startSignIn, type ClientSaid } from './startSignIn.js';

/** Told while it is waited for the browser. */
export const signInLink = z.object({
  /** For one browser, once. */
  link: z.string(),
  expiresAt: isoTime,
  /** Of the authorization server, in punycode. */
  host: z.string(),
  hostBefore: z.string().nullable(),
  scopes: z.array(z.string()).nullable(),
  /** As whom the authorization server knows us. */
  client: z.object({ source: z.enum(clientSources), id: z.string() }),
  /** Whether the server is disabled, so that signing in alone does not put it to use. */
  disabled: z.boolean(),
  /** Where the authorization server sends the browser back to; a client that was registered by hand must have it. */
  redirectUri: z.string(),
});

/**
 * RFC 6749 §A.1 and §A.2: printable ASCII; what is only white space was a slip.
 * @param option how it was given
 */
function clientWord(option: string) {
  return z.string().max(2_000).regex(/^(?=.*\S)[\x20-\x7e]+$/, `${option} takes 1 to 2000 printable ASCII characters, not spaces alone`);
}

/**
 * Begins a sign-in at a server, tells the link that an admin opens in a browser (as progress, `signInLink`), and waits for
 * how it ends. Whoever gives the wait up ends nothing.
 */
export const signInToMcpServer = operation({
  name: 'signInToMcpServer',
  reach: 'owner',
  ifLost: 'A sign-in that was begun goes on in the browser when `toolledger serve` runs again; `toolledger mcp list` shows who is signed in.',
  input: z.object({
    name: z.string(),
    workspace: workspaceId,
    clientId: clientWord('--client-id').nullable().default(null),
    clientSecret: clientWord('--client-secret-stdin').nullable().default(null),
    /** Not as a client that was given before. */
    register: z.boolean().default(false),
  }),
  output: z.object({ status: z.enum(['signed_in', 'signed_in_unusable', 'failed', 'pending']), reason: z.string().nullable(), missing: z.array(z.string()), message: z.string(), found: foundTools.nullable() }),
  async run(services, { name, workspace, clientId, clientSecret, register }, { caller, signal, progress }) {
    const server = await serverNamed(services, workspace, name);
    await refuseClosed(services.handler, workspace);
    if (clientId !== null && register) throw new Fault('usage', 'client_given_twice', 'Give either a client with --client-id, or --register to have one registered.');
    const said: ClientSaid = register ? { kind: 'register' } : clientId === null ? { kind: 'nothing' } : { kind: 'client', clientId, clientSecret };
    const pending = await startSignIn(services, server, said, caller, workspace, signal);
    const ended = services.signIns.outcomes.wait(pending.signInId, signal);
    progress({ ...linkOf(pending), disabled: server.status === 'disabled' });
    const stopLooking = expireInTime(services, pending);
    try {
      const outcome = await ended;
      if (outcome !== null) return { ...outcome, missing: [...outcome.missing] };
      return { status: 'pending' as const, reason: null, missing: [], message: await onceNobodyWaits(services, pending, signal), found: null };
    } finally {
      stopLooking();
    }
  },
});

function linkOf({ signInId, secrets, expiresAt, issuerBefore, redirectUri, scopes, server, client }: PendingSignIn): Omit<z.input<typeof signInLink>, 'disabled'> {
  return {
    link: `${new URL(redirectUri).origin}/oauth/start/${wordOf(signInId, secrets.link)}`,
    expiresAt: iso(expiresAt),
    host: new URL(server.issuer).host,
    hostBefore: issuerBefore === null ? null : new URL(issuerBefore).host,
    scopes: scopes === null ? null : [...scopes],
    client: { source: client.source, id: client.clientId },
    redirectUri,
  };
}

async function onceNobodyWaits({ signIns }: OwnerServices, pending: PendingSignIn, signal: AbortSignal): Promise<string> {
  const until = `${iso(pending.expiresAt).slice(11, 16)} UTC`;
  const { stays } = await signIns.door();
  if (stays && signal.aborted) return commandsFor(pending, `Not waited for any longer. The sign-in goes on in the browser until ${until}; \`toolledger mcp list\` shows who is signed in.`);
  return commandsFor(pending, `Nobody listens for the browser now. Start \`toolledger serve\` and go on in the browser before ${until}, or begin again with \`toolledger mcp sign-in\`.`);
}
