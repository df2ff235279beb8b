import { Hono } from 'hono';

/** Most bytes of a request body that says its size; whoever reads a body counts those that do not. */
export const maxBodyBytes = 4 * 1024 * 1024;

/**
 * The application that all other routes are added to. What is not found, too large or failed is answered with
 * `{error: {code, message}}` and nothing of the inside.
 * @param onInternalError told of everything a route threw
 * @param apart routes that answer everything under their path by rules of their own, sizes and failures too
 */
export function httpApp(onInternalError: (error: unknown) => void, apart = new Hono()): Hono {
  const app = new Hono();
  app.route('/', apart);
  app.use(async (context, next) => {
    if (Number(context.req.header('content-length') ?? 0) <= maxBodyBytes) return next();
    return context.json({ error: { code: 'body_too_large', message: `The request body is larger than ${maxBodyBytes} bytes.` } }, 413);
  });
  app.notFound((context) => context.json({ error: { code: 'not_found', message: 'There is nothing at this path.' } }, 404));
  app.onError((error, context) => {
    onInternalError(error);
    return context.json({ error: { code: 'internal_error', message: 'Something went wrong inside; the log says what.' } }, 500);
  });
  return app;
}
