import { jsonAnswer, type JsonAnswer } from '../cli/program.js';
import { inThisProcess } from '../cli/inProcess.js';
import type { Entries } from './browser/pageForms.js';
import { newScriptedBrowser, type Page, type ScriptedBrowser } from './browser/scriptedBrowser.js';

/** A sign-in that was begun on the command line and waits for a browser. */
export interface BegunSignIn {
  readonly link: string;
  /** What the command line gives in the end. */
  readonly ended: Promise<JsonAnswer>;
  /** Stops the waiting. */
  readonly stop: () => void;
}

/** Runs `mcp sign-in` until it tells its link; when it ends without one, what it said is the failure. */
export async function beginSignIn(data: string, args: readonly string[], around: { readonly env?: Record<string, string>; readonly input?: string } = {}): Promise<BegunSignIn> {
  const stop = new AbortController();
  const command = ['mcp', 'sign-in', ...args, '--json'];
  let told: (link: string) => void = () => undefined;
  const link = new Promise<string>((resolve) => (told = resolve));
  const onPrinted = (stdout: string): void => {
    const first = JSON.parse(stdout.slice(0, stdout.indexOf('\n'))) as { readonly link?: string };
    if (first.link !== undefined) told(first.link);
  };
  const ended = inThisProcess(data, command, { ...around, signal: stop.signal, onPrinted }).then(({ stdout, ...finished }) => jsonAnswer(command, { ...finished, stdout: stdout.slice(stdout.lastIndexOf('\n', stdout.length - 2) + 1) }));
  const first = await Promise.race([link, ended]);
  if (typeof first !== 'string') throw new Error(`${command.join(' ')} told no link: ${JSON.stringify(first)}`);
  return { link: first, ended, stop: () => stop.abort() };
}

/** Goes through our page and the authorization server's, up to our page that asks for the last word. With `answer: null` nobody is asked there. */
export async function upToConfirming(link: string, { browser = newScriptedBrowser(), audience = {}, answer = 'allow', scope }: { readonly browser?: ScriptedBrowser; readonly audience?: Entries; readonly answer?: 'allow' | 'deny' | null; readonly scope?: readonly string[] } = {}): Promise<{ readonly browser: ScriptedBrowser; readonly page: Page }> {
  const consent = await browser.submit(await browser.open(link), audience);
  return { browser, page: answer === null ? consent : await browser.submit(consent, { answer, ...(scope !== undefined && { scope }) }) };
}

/** The whole way, as an admin goes it. */
export async function signInAt(link: string, how: Parameters<typeof upToConfirming>[1] = {}): Promise<Page> {
  const { browser, page } = await upToConfirming(link, how);
  return browser.submit(page);
}
