import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';

/** What is known of a workspace's tools, for display; built-in tools are not in it, the program brings them. */
export interface RegistryView {
  readonly workspace: string;
  readonly state: 'unknown' | 'open' | 'closed';
  readonly switches: ReadonlyArray<readonly [tool: string, on: boolean]>;
  readonly servers: ReadonlyArray<{
    readonly serverId: string;
    readonly name: string;
    readonly kind: string;
    readonly enabled: boolean;
    /** Null: never discovered. */
    readonly tools: ReadonlyArray<{
      readonly name: string;
      readonly remoteName: string;
      readonly definition: string;
      readonly accepted: boolean;
      /** Null when its text was never recorded. */
      readonly text: RecordedToolDefinition | null;
    }> | null;
  }>;
}

export interface WorkspaceView {
  readonly workspace: string;
  readonly kind: string;
  readonly state: 'open' | 'closed';
  readonly openedAt: number;
  readonly changedAt: number;
}
