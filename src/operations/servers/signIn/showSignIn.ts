import { z } from 'zod';
import { operation } from '../../operation.js';
import { adminText } from './adminText.js';
import { recognise, refuse } from './recognise.js';

/** What the page of a link shows. Changes nothing: a preview of the link may ask for it. */
export const showSignIn = operation({
  name: 'showSignIn',
  reach: 'owner',
  input: z.object({ link: z.string().max(200) }),
  output: z.object({
    server: z.string(),
    workspace: z.string(),
    admin: z.string(),
    /** Of the authorization server, in punycode. */
    host: z.string(),
    /** Where the sign-in before was made, when that was elsewhere. */
    hostBefore: z.string().nullable(),
    /** Where the form leads to in the end. */
    formTarget: z.string(),
    scopes: z.array(z.string()).nullable(),
    expiresAt: z.int(),
    csrf: z.string(),
  }),
  async run(services, { link }) {
    const { pending } = await recognise(services, link, { by: 'link', changes: false });
    if (pending.phase.kind !== 'offered') return refuse(services, pending, 'link_used', 'sign_in_used', false);
    const { serverName, origin, server, issuerBefore, scopes, expiresAt, secrets } = pending;
    return {
      server: serverName,
      workspace: origin.workspace,
      admin: adminText(origin),
      host: new URL(server.issuer).host,
      hostBefore: issuerBefore === null ? null : new URL(issuerBefore).host,
      formTarget: new URL(server.authorizationEndpoint).origin,
      scopes: scopes === null ? null : [...scopes],
      expiresAt,
      csrf: secrets.form,
    };
  },
});
