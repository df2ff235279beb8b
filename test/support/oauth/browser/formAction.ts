/** Whether a page's Content-Security-Policy lets a form go to an address, where redirects count too, as in Chromium. */
export function formActionAllows(header: string | undefined, page: URL, target: URL, redirected: boolean): boolean {
  return (header ?? '').split(',').every((policy) => {
    const sources = formActionOf(policy);
    return sources === null || sources.some((source) => matches(source, page, target, redirected));
  });
}

/** The sources of the directive, the first if there are several; null when there is none. */
function formActionOf(policy: string): readonly string[] | null {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
  return directives.find(([name]) => name?.toLowerCase() === 'form-action')?.slice(1) ?? null;
}

function matches(source: string, page: URL, target: URL, redirected: boolean): boolean {
  if (source === "'self'") return target.origin === page.origin;
  if (source === '*') return ['http:', 'https:', page.protocol].includes(target.protocol);
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return schemeMatches(source.toLowerCase(), target);
  const parts = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/i.exec(source);
  if (parts === null) return false;
  const [, scheme = page.protocol, host = '', port, path] = parts;
  return schemeMatches(scheme.toLowerCase(), target) && hostMatches(host.toLowerCase(), target) && portMatches(port, target) && (redirected || pathMatches(path, target));
}

/** http lets https through. */
function schemeMatches(scheme: string, { protocol }: URL): boolean {
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:');
}

function hostMatches(host: string, { hostname }: URL): boolean {
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === '*' || host === hostname;
}

/** A `URL` has no port where it is the scheme's own. */
function portMatches(port: string | undefined, target: URL): boolean {
  const own = target.protocol === 'https:' ? '443' : '80';
  return port === '*' || (port ?? own) === (target.port === '' ? own : target.port);
}

function pathMatches(path: string | undefined, { pathname }: URL): boolean {
  if (path === undefined || path === '/') return true;
  return path.endsWith('/') ? pathname.startsWith(path) : pathname === path;
}
