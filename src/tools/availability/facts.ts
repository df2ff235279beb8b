import type { CallBasis } from '../../events/catalogue/toolCall.js';

/** When tools whose definition changed are used: at once (`warn`), or only after an admin accepted it (`hold`). */
export type DefinitionPolicy = 'warn' | 'hold';

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
}

/** What is known of a workspace at one moment. `unverified` and null mean that it could not be read: never "allowed". */
export interface WorkspaceFacts {
  readonly workspace: string;
  readonly state: 'unknown' | 'open' | 'closed' | 'unverified';
  /** Explicit switches by canonical tool name. */
  readonly switches: ReadonlyMap<string, boolean> | null;
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
