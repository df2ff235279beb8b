/** A server as admins see it. */
export interface ServerView {
  readonly serverId: string;
  readonly name: string;
  readonly kind: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly credential: string;
  readonly state: 'enabled' | 'disabled' | 'removed';
  readonly registeredAt: number;
  readonly registeredBy: string;
  readonly changedAt: number;
}
