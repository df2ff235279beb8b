import { NetFault } from './netFault.js';

/** Longest path kept, in UTF-16 code units. */
const maxPathLength = 300;

/** The server answered with a redirect. No redirect is followed: what was judged and registered is what is talked to. */
export class RedirectFault extends NetFault {
  /**
   * @param path where on the same origin it leads, without query, which may hold a secret; null when it leads elsewhere or
   * nowhere. The message does not name it: a path may hold a secret too, so only who registers a server is shown it.
   */
  constructor(
    message: string,
    readonly path: string | null,
  ) {
    super('redirect_refused', message);
  }
}

/** @param location the header, as the server wrote it */
export function redirectFault(status: number, location: string | null, requested: URL): RedirectFault {
  const redirect = `The server answered with a redirect (HTTP ${status})`;
  const target = location !== null && URL.canParse(location, requested.href) ? new URL(location, requested) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) return new RedirectFault(`${redirect}, which is not followed.`, null);
  if (target.origin !== requested.origin) {
    return new RedirectFault(`${redirect} to ${target.origin}, which is not followed. If you trust that server, register its address.`, null);
  }
  const path = target.pathname.length <= maxPathLength ? target.pathname : null;
  return new RedirectFault(`${redirect} to another of its own addresses, which is not followed. Register the final address.`, path);
}
