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
  'mcp accept': ['server'],
  'mcp sign-in': ['server'],
  'mcp history': ['server'],
  'mcp set-token': ['server'],
  'mcp tool on': ['server', 'tool'],
  'mcp tool off': ['server', 'tool'],
  'mcp list': [],
  'tools on': ['tool'],
  'workspace open': ['workspace'],
};

const options: { readonly [command: string]: string } = { 'mcp set-token': ' --token-prompt' };

/** Writes out the commands in a sentence, so that they can be typed as they stand; those whose subject is not known stay. */
export function completeCommands(sentence: string, subject: CommandSubject): string {
  return sentence.replace(/`toolledger ([a-z -]+)`/g, (whole, command: string) => {
    const names = argumentsOf[command]?.map((argument) => subject[argument]);
    if (names === undefined || names.includes(null)) return whole;
    const typed = `${[command, ...names].join(' ')}${options[command] ?? ''}`;
    return `\`${command === 'workspace open' ? `toolledger ${typed}` : commandIn(subject.workspace, typed)}\``;
  });
}
