import { optionalField } from './forms/fieldForms.js';
import { readForm } from './forms/readForm.js';

/** The word by which a request names a sign-in. */
export type NamedSignIn = { readonly by: 'link'; readonly word: string } | { readonly by: 'state'; readonly word: string };

/** Which sign-in a post is about, whatever else is wrong with it; null when it names none. */
export async function namedSignIn(request: Request): Promise<NamedSignIn | null> {
  const link = /^\/oauth\/start\/([^/]+)$/.exec(new URL(request.url).pathname)?.[1];
  try {
    const word = link === undefined ? optionalField('state', (await readForm(request)).get('state')) : optionalField('link', link);
    return word === null ? null : { by: link === undefined ? 'state' : 'link', word };
  } catch {
    return null;
  }
}
