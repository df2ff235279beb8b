import { terminalSafe } from '../../platform/text/terminal.js';
import { fewNames } from './fewNames.js';

/** A tool with why it may not be used. */
interface Explained {
  readonly name: string;
  readonly from: string;
  readonly reasons: readonly { readonly code: string; readonly text: string }[];
}

/** The reasons of tools in sentences, each once with the tools it is about: a cell of a table would cut the commands in them. */
export function reasonLines(tools: readonly Explained[]): readonly string[] {
  const about = new Map<string, string[]>();
  for (const { name, from, reasons } of tools) {
    for (const { code, text } of reasons) {
      const line = `${code}: ${text}`;
      about.set(line, [...(about.get(line) ?? []), from === 'built-in' ? name : `${name} of ${from}`]);
    }
  }
  return [...about].map(([line, names]) => terminalSafe(`${fewNames(names)}: ${line}`));
}
