import type { AccountReach } from '../../commands/mcpSignIn/narrowAccount.js';
import type { DefinitionPolicy } from '../../commands/toolSettings.js';
import type { CallBasis } from '../../events/catalogue/toolCall.js';
import type { ReasonCode } from './reasons.js';

/** A tool that a server was last seen to offer. */
interface KnownTool {
  /** What the model sees. */
  readonly name: string;
  /** What the server calls it. */
  readonly remoteName: string;
  /** SHA-256 of its definition, hex. */
  readonly definition: string;
}

/** A registered server, as far as availability is concerned. Removed ones are not listed. */
export interface ServerFacts {
  readonly serverId: string;
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  /** Null: never discovered, which is not the same as none. */
  readonly tools: readonly KnownTool[] | null;
  /** Definitions that an admin accepted. */
  readonly accepted: ReadonlySet<string>;
  /** Why it is not dialled at this moment; null when nothing is known against it. */
  readonly outOfUse: OutOfUse | null;
  /** The server's own names of tools that an admin switched off. */
  readonly switchedOff: ReadonlySet<string>;
  /** Who may use it: members with one of the roles, in one of the channels, or one person only; null means everyone, or everywhere. */
  readonly audience: { readonly roles: readonly string[] | null; readonly channels: readonly string[] | null; readonly person: string | null };
}

/** Why a server is not dialled, and until when: milliseconds since the epoch, null when only somebody's act ends it. */
export interface OutOfUse {
  readonly reason: ReasonCode;
  readonly until: number | null;
  /** The account that is good and lacks scopes, where that is why. */
  readonly narrow?: AccountReach;
}

/** For whom a tool is judged, as far as the door knows it. */
export interface Asker {
  /** The subject that stands for the person; null: nobody known. */
  readonly subject: string | null;
  readonly channel: string | null;
  readonly roles: readonly string[];
}

/** What is known of a workspace at one moment. `unverified` and null mean that it could not be read: never "allowed". */
export interface WorkspaceFacts {
  readonly workspace: string;
  readonly state: 'unknown' | 'open' | 'closed' | 'unverified';
  /** Explicit switches by canonical tool name. */
  readonly switches: ReadonlyMap<string, boolean> | null;
  /** What the workspace says of definitions that changed; null: nothing, so that the deployment's rule holds. */
  readonly policy: DefinitionPolicy | null;
  readonly servers: readonly ServerFacts[] | null;
  /** Revisions of the streams this was read from. */
  readonly basis: CallBasis;
}

/** The tool that is judged. The facts say whether what it claims still holds. */
export type ToolSubject =
  | { readonly kind: 'builtin'; readonly name: string; readonly definition: string }
  | ({ readonly kind: 'mcp'; readonly serverId: string; readonly serverName: string } & KnownTool);

/** The tools of a server as subjects to judge. */
export function subjectsOf(server: ServerFacts): readonly (ToolSubject & { readonly kind: 'mcp' })[] {
  return (server.tools ?? []).map((tool) => ({ kind: 'mcp', serverId: server.serverId, serverName: server.name, ...tool }));
}
