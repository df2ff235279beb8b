import { isLoopbackHost } from '../../../platform/http/loopbackHost.js';

/**
 * The origin that a browser sees this server at, from the Host it sent: the public URL's, also when a proxy in front
 * ended the TLS, or `http://` and a loopback host. Nothing that a proxy adds (`X-Forwarded-*`) is believed.
 * @returns null for every other host
 */
export function requestOrigin(host: string | undefined, publicOrigin: string | null): string | null {
  if (publicOrigin !== null && host !== undefined && namesHostOf(publicOrigin, host.toLowerCase())) return publicOrigin;
  const loopback = `http://${host}`;
  return isLoopbackHost(host) && URL.canParse(loopback) ? new URL(loopback).origin : null;
}

function namesHostOf(origin: string, host: string): boolean {
  const { protocol, hostname, port } = new URL(origin);
  return host === `${hostname}:${port || defaultPorts[protocol]}` || (port === '' && host === hostname);
}

const defaultPorts: { readonly [protocol: string]: string } = { 'http:': '80', 'https:': '443' };
