import { z } from 'zod';
import { operation } from '../../operation.js';
import { iso, isoTime, workspaceId } from '../../words.js';
import { serverNamed } from '../serverNamed.js';
import { wordOf } from './pendingSignIn.js';
import { expireSignIns } from './settleSignIns.js';
import { startSignIn } from './startSignIn.js';

/** Told while it is waited for the browser. */
export const signInLink = z.object({
  /** For one browser, once. */
  link: z.string(),
  expiresAt: isoTime,
  /** Of the authorization server, in punycode. */
  host: z.string(),
  hostBefore: z.string().nullable(),
  scopes: z.array(z.string()).nullable(),
});

/**
 * Begins a sign-in at a server, tells the link that an admin opens in a browser (as progress, `signInLink`), and waits for
 * how it ends. Whoever gives the wait up ends nothing.
 */
export const signInToMcpServer = operation({
  name: 'signInToMcpServer',
  reach: 'owner',
  input: z.object({
    name: z.string(),
    workspace: workspaceId,
    clientId: z.string().min(1).max(2_000).nullable().default(null),
    clientSecret: z.string().min(1).max(2_000).nullable().default(null),
  }),
  output: z.object({ status: z.enum(['signed_in', 'failed', 'pending']), reason: z.string().nullable(), message: z.string(), tools: z.int().nullable() }),
  async run(services, { name, workspace, clientId, clientSecret }, { caller, signal, progress }) {
    const server = await serverNamed(services, workspace, name);
    const given = clientId === null ? null : { clientId, clientSecret };
    const pending = await startSignIn(services, server, given, caller, workspace, signal);
    const { signInId, secrets, expiresAt, issuerBefore, redirectUri, scopes } = pending;
    const ended = services.signIns.outcomes.wait(signInId, signal);
    const told: z.input<typeof signInLink> = {
      link: `${new URL(redirectUri).origin}/oauth/start/${wordOf(signInId, secrets.link)}`,
      expiresAt: iso(expiresAt),
      host: new URL(pending.server.issuer).host,
      hostBefore: issuerBefore === null ? null : new URL(issuerBefore).host,
      scopes: scopes === null ? null : [...scopes],
    };
    progress(told);
    const cancel = services.schedule(expiresAt - services.clock.now(), () => void expireSignIns(services).catch(() => undefined));
    try {
      return (await ended) ?? ({ status: 'pending', reason: null, message: 'The sign-in goes on until its time is over.', tools: null } as const);
    } finally {
      cancel();
    }
  },
});
