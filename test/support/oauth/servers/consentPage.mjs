// The one page on which a person signs in and says yes or no.
import { text } from 'node:stream/consumers';
import { URLSearchParams } from 'node:url';

/** Answers `GET` and `POST /interaction/…`. */
export async function consentPage(provider, request, response) {
  if (request.method === 'GET') return showPage(provider, request, response);
  const answers = new URLSearchParams(await text(request));
  return provider.interactionFinished(request, response, await decided(provider, request, response, answers));
}

async function showPage(provider, request, response) {
  const { params, uid } = await provider.interactionDetails(request, response);
  const client = await provider.Client.find(params.client_id);
  const scopes = scopesOf(params).map((scope) => `<label><input type="checkbox" name="scope" value="${escaped(scope)}" checked>${escaped(scope)}</label>`);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<title>Sign in</title>
<h1>${escaped(client.clientName ?? client.clientId)} wants to act for you at ${escaped([params.resource ?? 'no resource'].flat().join(', '))}</h1>
<form method="post" action="${uid}">
<label>Who are you? <input name="login" value="alice"></label>
${scopes.join('\n')}
<button name="answer" value="allow">Allow</button>
<button name="answer" value="deny">Deny</button>
</form>`);
}

async function decided(provider, request, response, answers) {
  if (answers.get('answer') !== 'allow') return { error: 'access_denied', error_description: 'The person at the authorization server said no.' };
  const { params, session } = await provider.interactionDetails(request, response);
  const accountId = session?.accountId ?? answers.get('login');
  const grant = new provider.Grant({ accountId, clientId: params.client_id });
  const allowed = answers.getAll('scope');
  const refused = scopesOf(params).filter((scope) => !allowed.includes(scope));
  grant.addOIDCScope(allowed);
  grant.rejectOIDCScope(refused);
  for (const resource of [params.resource ?? []].flat()) {
    grant.addResourceScope(resource, allowed);
    grant.rejectResourceScope(resource, refused);
  }
  return { login: { accountId }, consent: { grantId: await grant.save() } };
}

function scopesOf({ scope }) {
  return scope === undefined ? [] : scope.split(' ');
}

function escaped(value) {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
