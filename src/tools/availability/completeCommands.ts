import { commandIn } from './commandIn.js';

/** What a sentence is about; null: not known. */
export interface CommandSubject {
  readonly workspace: string;
  readonly server: string | null;
  readonly tool: string | null;
}

type Argument = 'server' | 'tool' | 'workspace';

/** What is typed after the commands that sentences of reasons name. */
const argumentsOf: { readonly [command: string]: readonly Argument[] } = {
  'mcp enable': ['server'],
  'mcp refresh': ['server'],
  'mcp disable': ['server'],
  'mcp remove': ['server'],
  'mcp accept': ['server'],
  'mcp sign-in': ['server'],
  'mcp history': ['server'],
  'mcp set-token': ['server'],
  'mcp tool on': ['server', 'tool'],
  'mcp tool off': ['server', 'tool'],
  'mcp list': [],
  'mcp add': [],
  'tools on': ['tool'],
  'workspace open': ['workspace'],
};

const options: { readonly [command: string]: string } = { 'mcp set-token': ' --token-prompt', 'mcp add': ' URL --name NAME' };

/** Words of another party in their quotes, which stay as they came, or a command with what is typed after its arguments. */
const pieces = /\u201c[^\u201d]*\u201d?|`toolledger ([a-z -]+?)((?: --[a-z-]+(?: [A-Z]+)?)*)`/g;

/** Writes out the commands in a sentence, so that they can be typed as they stand; those whose subject is not known stay. */
export function completeCommands(sentence: string, subject: CommandSubject): string {
  return sentence.replace(pieces, (whole, command: string | undefined, given: string) => {
    const names = argumentsOf[command ?? '']?.map((argument) => subject[argument]);
    if (names === undefined || names.includes(null)) return whole;
    const typed = `${[command, ...names].join(' ')}${options[command ?? ''] ?? ''}${given}`;
    return `\`${command === 'workspace open' ? `toolledger ${typed}` : commandIn(subject.workspace, typed)}\``;
  });
}
