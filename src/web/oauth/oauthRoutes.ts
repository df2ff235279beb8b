import { Hono, type Context } from 'hono';
import { completeCommands } from '../../operations/words.js';
import { Fault } from '../../platform/fault.js';
import { audienceEntry, chosenAudience } from './forms/chosenAudience.js';
import { contentSecurityPolicy } from './guard/contentSecurityPolicy.js';
import { faultAnswer } from './faultAnswers.js';
import { neededField } from './forms/fieldForms.js';
import { formFields } from './forms/formFields.js';
import { namedSignIn, type NamedSignIn } from './namedSignIn.js';
import type { CookieOf, OAuthPages } from './oauthPages.js';
import { originGuard } from './guard/originGuard.js';
import type { StartEntry } from './pages/audienceFieldset.js';
import { confirmPage } from './pages/confirmPage.js';
import { faultPage } from './pages/faultPage.js';
import { finishedPage } from './pages/finishedPage.js';
import { startPage } from './pages/startPage.js';
import { readForm } from './forms/readForm.js';
import { requestOrigin } from './guard/requestOrigin.js';
import { returnedFields } from './forms/returnedFields.js';
import { setSignInCookie, signInCookies } from './guard/signInCookies.js';
import { strictHeaders } from './guard/strictHeaders.js';

/** What the routes need. */
export interface OAuthRoutesParts {
  readonly pages: OAuthPages;
  /** Origin (as `URL.origin` spells it) that browsers reach this server at from elsewhere, or null when only this machine does. */
  readonly publicOrigin: string | null;
  /** Told which link or state a post from a page elsewhere named, before it is refused. */
  readonly onForeignPost: (named: NamedSignIn) => Promise<void>;
  /** The Client ID Metadata Document, or null when there is none. */
  readonly clientMetadata: (() => unknown) | null;
  /** Told of everything that did not work here: faults whose answer says so, or that have none, and what is no Fault. */
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Where an admin signs in: `/oauth/start/:link` shows what the link begins and its POST sends the browser to the
 * authorization server; `/oauth/callback` shows what came back and its POST uses it. A GET or HEAD changes nothing.
 * `/oauth/client-metadata.json` is what authorization servers read about us.
 *
 * First the host (403), then on POST the origin (403), then the form (415, 413, 400). Everything under `/oauth` is
 * answered here and with the strict headers; nothing of a query or a body is ever logged. May be listened on alone.
 */
export function oauthRoutes({ pages, publicOrigin, onForeignPost, clientMetadata, onInternalError }: OAuthRoutesParts): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    if (error instanceof Fault) {
      if (faultAnswer(error).isReported === true) onInternalError(error);
      return faultResponse(context, error);
    }
    onInternalError(error);
    return context.html(faultPage({ title: 'Something went wrong', message: 'toolledger made a mistake; its log says what. Whoever runs it can see more with `toolledger doctor`.' }).text, 500);
  });
  // Whatever becomes of putting it on record, it is refused.
  const turnedAway = async (request: Request): Promise<void> => {
    const named = await namedSignIn(request);
    if (named !== null) await onForeignPost(named).catch(onInternalError);
  };
  app.use('/oauth/*', strictHeaders, originGuard(publicOrigin, turnedAway));

  // The guard has let through no other host.
  const originOf = (context: Context): string => requestOrigin(context.req.header('host'), publicOrigin) ?? '';
  const cookiesOf = (context: Context): CookieOf => signInCookies(context.req.header('cookie'), originOf(context));
  const startForm = async (context: Context, link: string, mistaken: StartEntry | null): Promise<Response> => {
    const offered = await pages.show(link, cookiesOf(context));
    context.header('Content-Security-Policy', contentSecurityPolicy(offered.formTarget));
    const { who, roles } = offered.audience;
    return context.html(startPage(link, offered, mistaken ?? { who, roles: roles.join(' '), mistake: null }).text, mistaken === null ? 200 : 400);
  };

  app.get('/oauth/start/:link', async (context) => startForm(context, neededField('link', context.req.param('link')), null));
  app.post('/oauth/start/:link', async (context) => {
    const link = neededField('link', context.req.param('link'));
    const fields = await readForm(context.req.raw);
    const [csrf, page] = [neededField('csrf', fields.get('csrf')), neededField('page', fields.get('page'))];
    const entry = audienceEntry(fields);
    const chosen = chosenAudience(entry);
    if ('mistake' in chosen) return startForm(context, link, { ...entry, ...chosen });
    const begun = await pages.begin({ link, csrf, page, audience: chosen, cookie: cookiesOf(context) });
    setSignInCookie(context, originOf(context), begun);
    return context.redirect(begun.location, 303);
  });
  app.all('/oauth/start/:link', (context) => notAllowed(context, 'GET, HEAD, POST'));

  app.get('/oauth/callback', async (context) => {
    const answer = returnedFields(formFields(new URL(context.req.url).search.slice(1)));
    const signIn = await pages.returned({ ...answer, cookie: cookiesOf(context) });
    return context.html(confirmPage(answer, signIn).text);
  });
  app.post('/oauth/callback', async (context) => {
    const fields = await readForm(context.req.raw);
    const csrf = neededField('csrf', fields.get('csrf'));
    return context.html(finishedPage(await pages.finish({ ...returnedFields(fields), csrf, cookie: cookiesOf(context) })).text);
  });
  app.all('/oauth/callback', (context) => notAllowed(context, 'GET, HEAD, POST'));

  if (clientMetadata !== null) {
    app.get('/oauth/client-metadata.json', (context) => context.body(JSON.stringify(clientMetadata()), 200, { 'Content-Type': 'application/json' }));
    app.all('/oauth/client-metadata.json', (context) => notAllowed(context, 'GET, HEAD'));
  }
  app.all('/oauth/*', (context) => faultResponse(context, new Fault('usage', 'not_found', 'Open the link exactly as it was given to you, or begin again with `toolledger mcp sign-in`.')));
  return app;
}

function notAllowed(context: Context, allowed: string): Response {
  context.header('Allow', allowed);
  return faultResponse(context, new Fault('usage', 'method_not_allowed', `Only ${allowed} is offered here.`));
}

function faultResponse(context: Context, fault: Fault): Response {
  const { status, title, message = fault.message, isCalm = false } = faultAnswer(fault);
  const { server, workspace } = fault.details;
  return context.html(faultPage({ title, message: typeof server === 'string' && typeof workspace === 'string' ? completeCommands(message, { workspace, server, tool: null }) : message, isCalm, server: typeof server === 'string' ? server : null }).text, status);
}
