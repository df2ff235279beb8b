import { createHash } from 'node:crypto';
import { stylesheet } from '../pages/stylesheet.js';

const style = `'sha256-${createHash('sha256').update(stylesheet.text).digest('base64')}'`;

/** CSP's `host-source` has no IPv6 and none of the odd characters that a URL's host may have (CSP3 §2.3.1). */
const hostSource = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::[0-9]+)?$/;

/**
 * The policy of a page: no script, our stylesheet, forms to ourselves.
 * @param formTarget origin that posting the page's form redirects to, or null. Chromium and Safari hold `form-action`
 *   against every redirect after a post, and authorization servers often redirect to a sign-in page at another host
 *   that nobody can name beforehand (w3c/webappsec-csp#8). So beside the origin all of https is let through; else the
 *   button would do nothing, without a word.
 */
export function contentSecurityPolicy(formTarget: string | null): string {
  const targets = formTarget === null ? [] : [hostSource.test(formTarget) ? formTarget : new URL(formTarget).protocol, 'https:'];
  const formAction = [...new Set(["'self'", ...targets])].join(' ');
  return `default-src 'none'; style-src ${style}; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
}
