import { commandIn } from '../../../operations/words.js';
import { terminalSafe } from '../../../platform/text/terminal.js';

/** What a server says of how to use it. */
export function instructionLines({ text, changed }: { readonly text: string | null; readonly changed: boolean }): readonly string[] {
  const change = changed ? [terminalSafe('Warning: what the server says of its use changed.')] : [];
  if (text === null) return change;
  const lines = text.split('\n').map((line) => `  ${terminalSafe(line)}`);
  return [...change, 'What the server says of its use (for you to read; models are never told):', ...lines];
}

/** Most hidden tools of a server that are explained one by one. */
const mostHidden = 5;

/** Tools that are hidden because of what else is registered. */
export function hiddenLines(servers: readonly { readonly name: string; readonly hidden: readonly { readonly name: string; readonly code: string; readonly text: string }[] }[], workspace: string): readonly string[] {
  return servers.flatMap(({ name: server, hidden }) => [
    ...hidden.slice(0, mostHidden).map(({ name, code, text }) => terminalSafe(`Hidden: ${name} of ${server}: ${code}: ${text}`)),
    ...(hidden.length <= mostHidden ? [] : [terminalSafe(`Hidden: ${hidden.length - mostHidden} more of ${server}: ${commandIn(workspace, 'tools list --explain')}`)]),
  ]);
}
