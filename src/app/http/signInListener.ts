import type { OwnerServices } from '../../operations/services.js';
import type { SignInDoor } from '../../operations/servers/signIn/signInDoor.js';
import type { Config } from '../../platform/config.js';
import { httpApp } from '../../platform/http/httpApp.js';
import { openListener, type HttpListener } from '../../platform/http/listener.js';
import { metadataPath, signInPages } from './signInPages.js';

/** Listens for the pages of sign-ins and nothing else. */
export async function openSignInListener(
  services: OwnerServices,
  { publicUrl, oauthPort, port }: Pick<Config, 'publicUrl' | 'oauthPort' | 'port'>,
  onInternalError: (error: unknown) => void,
): Promise<HttpListener> {
  return openListener(httpApp(onInternalError, signInPages({ services, publicUrl, onInternalError })), oauthPort ?? port, oauthPort === null ? 'TOOLLEDGER_PORT' : 'TOOLLEDGER_OAUTH_PORT');
}

/**
 * Where browsers reach pages that are listened for on a port.
 * @param stays whether they are listened for longer than anybody waits
 */
export function doorAt(port: number, publicUrl: string | null, stays: boolean): SignInDoor {
  return { origin: publicUrl ?? `http://127.0.0.1:${port}`, metadataDocument: publicUrl === null ? null : publicUrl + metadataPath, stays };
}
