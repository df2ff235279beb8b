import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { httpApp } from '../../../src/platform/http/httpApp.js';
import { openListener, type HttpListener } from '../../../src/platform/http/listener.js';
import { healthRoutes } from '../../../src/web/health.js';

let listeners: HttpListener[];
let agent: Agent;
let internal: unknown[];
beforeEach(() => {
  listeners = [];
  internal = [];
  agent = new Agent({ keepAlive: true });
});
afterEach(async () => {
  agent.destroy();
  await Promise.all(listeners.map((listener) => listener.close(AbortSignal.abort())));
});

const never = new AbortController().signal;

async function serve(app = httpApp((error) => internal.push(error)), port = 0): Promise<HttpListener> {
  const listener = await openListener(app, port);
  listeners.push(listener);
  return listener;
}

function get({ port }: HttpListener, path: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent }, (reply) => {
      text(reply).then((body) => resolve({ status: reply.statusCode, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}

/** A route that waits until it is let go, and tells when it is reached. */
function waitingRoute() {
  let reach: () => void = () => undefined;
  let go: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (go = resolve));
  const app = httpApp((error) => internal.push(error));
  app.get('/slow', async (context) => {
    reach();
    await released;
    return context.text('finished');
  });
  return { app, reached, go };
}

describe('a listener', () => {
  it('takes any free port and says which', async () => {
    const listener = await serve();
    expect(listener.port).toBeGreaterThan(0);
    expect((await get(listener, '/nothing')).status).toBe(404);
  });

  it('that finds its port in use names it and what to do', async () => {
    const { port } = await serve();
    await expect(serve(undefined, port)).rejects.toMatchObject({
      kind: 'failed',
      code: 'port_in_use',
      details: { port },
      message: expect.stringMatching(new RegExp(`${port}.*choose another`)) as unknown,
    });
  });

  it('lets running requests finish when it closes, and does not wait for idle connections', async () => {
    const { app, reached, go } = waitingRoute();
    const listener = await serve(app);
    await get(listener, '/idle-from-now-on');
    const running = get(listener, '/slow');
    await reached;
    const closed = listener.close(never);
    await expect(get(listener, '/new')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    go();
    expect(await running).toEqual({ status: 200, body: 'finished' });
    await closed;
  });

  it('cuts what still runs at the deadline', async () => {
    const { app, reached } = waitingRoute();
    const listener = await serve(app);
    const running = get(listener, '/slow').catch((error: unknown) => (error as NodeJS.ErrnoException).code);
    await reached;
    const deadline = new AbortController();
    const closed = listener.close(deadline.signal);
    deadline.abort();
    await closed;
    expect(await running).toBe('ECONNRESET');
  });

  it('tells nothing of what a route threw', async () => {
    const app = httpApp((error) => internal.push(error));
    app.get('/broken', () => {
      throw new Error('password hunter2');
    });
    const reply = await get(await serve(app), '/broken');
    expect(reply.status).toBe(500);
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'internal_error' } });
    expect(reply.body).not.toContain('hunter2');
    expect(internal).toEqual([new Error('password hunter2')]);
  });

  it('leaves the global Request and Response alone', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await get(await serve(), '/');
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });
});

describe('health', () => {
  const health = (check: Parameters<typeof healthRoutes>[1]) => {
    const app = httpApp(() => undefined);
    app.route('/', healthRoutes('1.2.3', check));
    return serve(app);
  };

  it('is ok when every part is', async () => {
    const reply = await get(await health(async () => ({ ledger: { ok: true }, views: { ok: true, detail: '3 behind' } })), '/health');
    expect(reply).toEqual({ status: 200, body: '{"status":"ok","checks":{"ledger":{"ok":true},"views":{"ok":true,"detail":"3 behind"}}}' });
  });

  it('is degraded when one part is not', async () => {
    const reply = await get(await health(async () => ({ ledger: { ok: false, detail: 'disk_full' }, views: { ok: true } })), '/health');
    expect(reply.status).toBe(503);
    expect(JSON.parse(reply.body)).toMatchObject({ status: 'degraded', checks: { ledger: { ok: false, detail: 'disk_full' } } });
  });

  it('is degraded when it cannot be told', async () => {
    const reply = await get(await health(async () => Promise.reject(new Error('/root/secret'))), '/health');
    expect(reply.status).toBe(503);
    expect(reply.body).not.toContain('secret');
  });

  it('is beside the version', async () => {
    expect(await get(await health(async () => ({})), '/version')).toEqual({ status: 200, body: '{"version":"1.2.3"}' });
  });

  it('does not wait for requests that have not come whole, whatever was begun with them', async () => {
    const app = httpApp((error) => internal.push(error));
    let arrived: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (arrived = resolve));
    app.post('/slow', async (context) => {
      arrived();
      return context.text(await context.req.text());
    });
    const listener = await serve(app);
    const unfinished = request({ host: '127.0.0.1', port: listener.port, path: '/slow', method: 'POST', headers: { 'content-length': '10' } });
    const lost = new Promise((resolve) => unfinished.once('error', resolve));
    unfinished.write('x');
    await begun;
    await listener.close(never);
    expect(await lost).toMatchObject({ code: 'ECONNRESET' });
  });
});
