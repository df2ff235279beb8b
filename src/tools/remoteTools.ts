import type { JsonObject } from '../platform/json.js';
import type { RecordedToolDefinition } from '../events/catalogue/toolDefinition.js';

/** Why a server could not be reached or used; stable codes. */
export type RemoteFailureClass =
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'needs_sign_in'
  | 'needs_reauthorization'
  /** The sign-in could not be renewed, because its authorization server did not answer. */
  | 'authorization_unreachable'
  /** Another account was signed in while this was under way. */
  | 'account_replaced'
  | 'rate_limited'
  | 'not_mcp'
  | 'protocol_error'
  | 'response_too_large'
  | 'redirect_refused'
  | 'blocked_address'
  /** Our own fault: where the server is was lost. */
  | 'address_missing'
  | 'needs_newer_client'
  | 'server_error'
  | 'cancelled';

/** A tool a server offers right now. */
export interface OfferedTool {
  /** What the model sees: the remote name, or a stable injective alias when providers would refuse it. */
  readonly name: string;
  readonly remoteName: string;
  /** SHA-256 over the RFC 8785 form of the definition, hex. */
  readonly hash: string;
  readonly definition: RecordedToolDefinition;
}

/** What a server's listing gave: usable tools, and those left out with a reason code. */
export interface ToolListing {
  readonly tools: readonly OfferedTool[];
  readonly skipped: readonly { readonly name: string | null; readonly reason: string }[];
  /** What the server says of how to use it, for people only: cleaned, at most 4 KiB, with the SHA-256 of its RFC 8785 form. */
  readonly instructions: { readonly hash: string; readonly text: string } | null;
}

/** A server to talk to; where it is and how to authenticate comes from the vault, by id. */
export interface RemoteServer {
  readonly workspace: string;
  readonly serverId: string;
  readonly name: string;
}

/** What became of a connection attempt. */
export type ConnectOutcome =
  | { readonly ok: true; readonly listing: ToolListing }
  | {
      readonly ok: false;
      readonly class: RemoteFailureClass;
      readonly message: string;
      /** How long the server asks to wait before the next attempt, in milliseconds; null when it did not say. */
      readonly retryAfterMs: number | null;
      /** What an account that is good lacks, as the server says; left out where that is not what is wrong. */
      readonly scopesMissing?: readonly string[];
      /** `disconnect` cut the attempt off: it found out nothing, and whoever still waits may begin another one. */
      readonly cutOff?: true;
    };

/**
 * One part of a tool result, as MCP content. What is no part of a kind we know, in its form, is kept as it came as the
 * `value` of a part of type `unsupported`.
 */
export type RemoteContent = JsonObject;

/** How far a running call is, in the server's own measure. */
export interface CallProgress {
  readonly progress: number;
  readonly total: number | null;
  /** In the server's words, cleaned. */
  readonly message: string | null;
}

export interface RemoteCallOptions {
  /** For the whole call; progress does not prolong it. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What the answer has to fit, as it was recorded. */
  readonly outputSchema?: JsonObject;
  readonly onProgress?: (progress: CallProgress) => void;
}

/** What became of a remote call. */
export type RemoteOutcome =
  /** An answer arrived; `isError` is the tool's own word. */
  | { readonly kind: 'answered'; readonly isError: boolean; readonly content: readonly RemoteContent[]; readonly structured: JsonObject | null }
  /** The tool ran, and its answer breaks the output schema it was listed with. */
  | { readonly kind: 'invalid'; readonly message: string; readonly content: readonly RemoteContent[]; readonly structured: JsonObject | null }
  /** An answer arrived and it is a refusal by the server or protocol (JSON-RPC error). */
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string }
  /** Provably nothing was sent. */
  | { readonly kind: 'notSent'; readonly class: RemoteFailureClass; readonly message: string }
  /** Something was sent and no usable answer came. */
  | { readonly kind: 'unknown'; readonly cause: 'timeout' | 'cancelled' | 'connection_lost' | 'server_error' | 'not_mcp' | 'protocol_error'; readonly message: string };

/** Tools of remote MCP servers, as dispatch needs them. Implemented by the MCP client. */
export interface RemoteTools {
  /**
   * Makes sure there is a live connection with a current listing; attempts are shared by all who wait.
   * Never throws for what a server does.
   */
  connect(server: RemoteServer, signal: AbortSignal): Promise<ConnectOutcome>;

  /** Calls a tool by the server's own name on the live connection. Nothing is ever replayed. */
  call(server: RemoteServer, remoteName: string, args: JsonObject, options: RemoteCallOptions): Promise<RemoteOutcome>;

  /** Drops the connection, and cuts off an attempt under way: what it uses, or whether it may be made, has changed. */
  disconnect(serverId: string): Promise<void>;
}
