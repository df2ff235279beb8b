import type { JsonObject } from '../../platform/json.js';
import { eventType, type EventOf } from './eventType.js';

/** How the product makes itself known to an authorization server. */
export const clientSources = ['given', 'metadata_document', 'registered'] as const;

/** What became of telling an authorization server that tokens are not used any more (RFC 7009). */
export const revocations = ['revoked', 'unsupported', 'failed'] as const;

/** Who may use the tools of a server with the account that was signed in. */
export const grantAudiences = ['everyone', 'roles', 'signer'] as const;

/** An admin asked for a link. */
const mcpSignInStarted = eventType({
  name: 'McpSignInStarted',
  data: ({ z, serverId, signInId, issuer, scopes }) => z.strictObject({
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
  data: ({ z, serverId, subjectId, signInId, issuer, scopes }) => z.strictObject({
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
  data: ({ z, code, serverId, signInId }) => z.strictObject({ serverId, signInId, reason: code }),
  personal: null,
});

/** Something that was no part of a sign-in, or not from who began it, was turned away; the sign-in goes on. */
const mcpSignInRefused = eventType({
  name: 'McpSignInRefused',
  data: ({ z, code, serverId, signInId }) => z.strictObject({ serverId, signInId, reason: code }),
  personal: null,
});

/** Of version 1, which did not say what was granted. */
function withScopes(content: JsonObject): JsonObject {
  return { ...content, scopes: null };
}

/** The access token was renewed. */
const mcpTokenRefreshed = eventType({
  name: 'McpTokenRefreshed',
  version: 2,
  upcasters: [withScopes],
  data: ({ z, serverId, scopes }) => z.strictObject({
    serverId,
    /** Whether the token that renews was replaced as well. */
    rotated: z.boolean(),
    expiresAt: z.int().nullable(),
    /** What is granted from now on, where that changed; else null. */
    scopes: scopes.nullable(),
  }),
  personal: null,
});

/** The account cannot be used any more, or not for everything, until an admin signs in again. */
const mcpReauthorizationRequired = eventType({
  name: 'McpReauthorizationRequired',
  data: ({ z, code, serverId, scopes }) => z.strictObject({
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
  data: ({ z, code, serverId }) => z.strictObject({ serverId, reason: code, revocation: z.enum(revocations) }),
  personal: null,
});

/** The authorization server was told of tokens that no account on record is used with: they came too late, or were left over. */
const mcpTokensGivenUp = eventType({
  name: 'McpTokensGivenUp',
  data: ({ z, code, serverId, signInId }) => z.strictObject({
    serverId,
    /** The sign-in that brought them. */
    signInId,
    reason: code,
    revocation: z.enum(revocations),
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
  mcpTokensGivenUp,
] as const;

/** Stream `mcpSignIn-<serverId>`: how accounts at one server come and go. No token, code, state or verifier is ever in it. */
export type McpSignInEvent = EventOf<(typeof mcpSignInTypes)[number]>;
