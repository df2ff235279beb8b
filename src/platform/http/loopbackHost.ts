const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?$/i;

/** Whether a Host header names this machine's loopback interface, with any port. */
export function isLoopbackHost(host: string | undefined): host is string {
  return host !== undefined && loopbackHost.test(host);
}
