import { z } from 'zod';
import { eventType, type EventOf } from './eventType.js';
import { code, serverId, subjectId } from './words.js';

/** Id of one sign-in, from its link to its end. What is secret of it lies in the vault under this id. */
const signInId = z.uuid();

/** Issuer identifier of an authorization server (RFC 8414, section 2), exactly as it calls itself. */
const issuer = z.string().min(1).max(500);

/** Scopes (RFC 6749, section 3.3), at most a hundred. */
const scopes = z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/)).max(100).readonly();

/** How the product makes itself known to an authorization server. */
export const clientSources = ['given', 'metadata_document', 'registered'] as const;

/** Who may use the tools of a server with the account that was signed in. */
export const grantAudiences = ['everyone', 'roles', 'signer'] as const;

/** An admin asked for a link. */
const mcpSignInStarted = eventType({
  name: 'McpSignInStarted',
  data: z.strictObject({
    serverId,
    signInId,
    issuer,
    /** Where the sign-in before was made, when that was elsewhere; null otherwise. */
    issuerBefore: issuer.nullable(),
    client: z.enum(clientSources),
    /** What is asked for; null: nothing in particular, the authorization server chooses. */
    scopes: scopes.nullable(),
  }),
  personal: null,
});

/** The account was signed in and its tokens lie in the vault. */
const mcpSignInCompleted = eventType({
  name: 'McpSignInCompleted',
  data: z.strictObject({
    serverId,
    signInId,
    issuer,
    /** Whose account it is, as far as the product knows: the admin who began. */
    signer: subjectId,
    /** What was granted; null: nobody said. */
    scopes: scopes.nullable(),
    audience: z.enum(grantAudiences),
    /** Whether it can be renewed without the admin. */
    renewable: z.boolean(),
    /** When the first access token ends, in milliseconds since the epoch; null: it was not said. */
    expiresAt: z.int().nullable(),
  }),
  personal: null,
});

/** A sign-in ended without an account. */
const mcpSignInFailed = eventType({
  name: 'McpSignInFailed',
  data: z.strictObject({ serverId, signInId, reason: code }),
  personal: null,
});

/** Something that was no part of a sign-in, or not from who began it, was turned away; the sign-in goes on. */
const mcpSignInRefused = eventType({
  name: 'McpSignInRefused',
  data: z.strictObject({ serverId, signInId, reason: code }),
  personal: null,
});

/** The access token was renewed. */
const mcpTokenRefreshed = eventType({
  name: 'McpTokenRefreshed',
  data: z.strictObject({
    serverId,
    /** Whether the token that renews was replaced as well. */
    rotated: z.boolean(),
    expiresAt: z.int().nullable(),
  }),
  personal: null,
});

/** The account cannot be used any more, or not for everything, until an admin signs in again. */
const mcpReauthorizationRequired = eventType({
  name: 'McpReauthorizationRequired',
  data: z.strictObject({
    serverId,
    reason: code,
    /** What the next sign-in has to ask for at least. */
    scopes,
  }),
  personal: null,
});

/** The tokens were taken out of the vault. */
const mcpSignedOut = eventType({
  name: 'McpSignedOut',
  data: z.strictObject({
    serverId,
    reason: code,
    /** What became of telling the authorization server (RFC 7009). */
    revocation: z.enum(['revoked', 'unsupported', 'failed']),
  }),
  personal: null,
});

export const mcpSignInTypes = [
  mcpSignInStarted,
  mcpSignInCompleted,
  mcpSignInFailed,
  mcpSignInRefused,
  mcpTokenRefreshed,
  mcpReauthorizationRequired,
  mcpSignedOut,
] as const;

/** Stream `mcpSignIn-<serverId>`: how accounts at one server come and go. No token, code, state or verifier is ever in it. */
export type McpSignInEvent = EventOf<(typeof mcpSignInTypes)[number]>;
