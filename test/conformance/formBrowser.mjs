// As much of a browser as our own pages need: cookies, redirects, and forms that are sent as they stand.
const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** A new one, without cookies. */
export function newFormBrowser() {
  const cookies = new Map();

  async function visit(url, init = {}) {
    const { origin } = new URL(url);
    const cookie = cookies.get(origin);
    const headers = { ...init.headers, ...(cookie !== undefined && { cookie }) };
    const response = await globalThis.fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) cookies.set(origin, set.split(';')[0]);
    const html = await response.text();
    const location = response.headers.get('location');
    return location === null ? { url, html } : visit(new URL(location, url).href);
  }

  return {
    open: (url) => visit(url),
    /** Presses the button of a page. */
    async submit({ url, html }) {
      const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1];
      if (action === undefined) throw new Error(`There is no form at ${new URL(url).origin}${new URL(url).pathname}: ${html.slice(-500)}`);
      const target = new URL(unescaped(action), url);
      return visit(target.href, { method: 'POST', headers: { origin: new URL(url).origin }, body: new globalThis.URLSearchParams(fieldsOf(html)) });
    },
  };
}

/** Hidden fields, and the choices that are made already. */
function fieldsOf(html) {
  const inputs = html.matchAll(/<input type="(hidden|radio)" name="([^"]*)" value="([^"]*)"([^>]*)>/g);
  return [...inputs].filter(([, type, , , rest]) => type === 'hidden' || rest.includes(' checked')).map(([, , name, value]) => [name, unescaped(value)]);
}

function unescaped(text) {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]);
}
