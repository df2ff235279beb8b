// What oidc-provider keeps, by kind and id. Its own store in memory cannot forget a whole kind, which the tests want.
const kinds = new Map();
const granted = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

/** Everything of one kind, by id. */
export function stored(kind) {
  if (!kinds.has(kind)) kinds.set(kind, new Map());
  return kinds.get(kind);
}

/** The adapter that oidc-provider makes one of for each kind. Whether something has run out, the provider checks itself. */
export class ProviderStore {
  constructor(kind) {
    this.entries = stored(kind);
  }

  async upsert(id, payload) {
    this.entries.set(id, payload);
  }

  async find(id) {
    return this.entries.get(id);
  }

  async findByUid(uid) {
    return [...this.entries.values()].find((payload) => payload.uid === uid);
  }

  async consume(id) {
    this.entries.get(id).consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id) {
    this.entries.delete(id);
  }

  async revokeByGrantId(grantId) {
    for (const kind of granted) {
      for (const [id, payload] of stored(kind)) if (payload.grantId === grantId) stored(kind).delete(id);
    }
  }
}

/** Forgets every grant and all that came of them. */
export function forgetGrants() {
  for (const kind of ['Grant', ...granted]) stored(kind).clear();
}
