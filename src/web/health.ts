import { Hono } from 'hono';

/** How one part of the product is; `detail` is shown to everyone who can reach the port. */
export interface HealthCheck {
  readonly ok: boolean;
  readonly detail?: string;
}

/**
 * `GET /health`: 200 `{status: "ok", checks}`, or 503 `{status: "degraded", checks}` when a check is not ok or could
 * not be made. `GET /version`: `{version}`.
 */
export function healthRoutes(version: string, check: () => Promise<{ readonly [part: string]: HealthCheck }>): Hono {
  const app = new Hono();
  app.get('/health', async (context) => {
    const checks = await check().catch(() => ({ health: { ok: false, detail: 'the checks could not be made' } }));
    const ok = Object.values(checks).every((each) => each.ok);
    return context.json({ status: ok ? 'ok' : 'degraded', checks }, ok ? 200 : 503);
  });
  app.get('/version', (context) => context.json({ version }));
  return app;
}
