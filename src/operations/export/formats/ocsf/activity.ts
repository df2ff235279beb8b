/** What the two mappings say of an event; the rest is the same for all. */
export interface Activity {
  /** 1 create, 2 read, 3 update, 4 delete, 99 other with a name. */
  readonly activityId: 1 | 2 | 3 | 4 | 99;
  readonly activityName: string;
  /** Who acted: a subject, or the product itself. */
  readonly actor: string;
  readonly operation: string;
  readonly service: { readonly name: string; readonly uid?: string };
  /** Id of the request, to find everything about it. */
  readonly requestUid: string;
  /** 0 unknown, 1 success, 2 failure, 99 other with a name. */
  readonly statusId: 0 | 1 | 2 | 99;
  readonly status: string;
  readonly reasons: readonly string[];
  readonly durationMs: number | null;
}
