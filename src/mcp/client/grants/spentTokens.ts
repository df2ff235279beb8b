/** Most tokens of one server that are remembered; with each renewal the oldest goes. */
const most = 10;

/** The access tokens that were in use with a server: it may still echo them, whoever of us asks it. */
export interface SpentTokens {
  add(token: string): void;
  all(): readonly string[];
}

/** Gives the tokens of each server, by its id. */
export function spentTokens(): (serverId: string) => SpentTokens {
  const byServer = new Map<string, Set<string>>();
  return (serverId) => ({
    add(token) {
      const kept = [...(byServer.get(serverId) ?? [])].filter((known) => known !== token);
      byServer.set(serverId, new Set([...kept.slice(1 - most), token]));
    },
    all: () => [...(byServer.get(serverId) ?? [])],
  });
}
