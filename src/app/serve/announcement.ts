import { dataFiles } from '../dataFiles.js';
import { version } from '../version.js';

/** What a running `serve` says of itself. */
export interface Serving {
  /** The data directory, absolute. */
  readonly directory: string;
  readonly port: number;
  /** Where the pages of sign-ins are, when they have a place of their own; null when nobody set one. */
  readonly signIns: { readonly port: number; readonly publicUrl: string | null } | null;
}

/** What `serve` prints when it is ready: where everything is, and commands that work in another terminal. */
export function announcement({ directory, port, signIns }: Serving): readonly string[] {
  const data = directory === dataFiles('./data').directory ? '' : ` --data ${quoted(directory)}`;
  return [
    `toolledger ${version} is running. Stop it with Ctrl-C.`,
    `  ledger        ${directory} (back it up: toolledger ledger backup, keys backup; and copy master.key)`,
    `  MCP endpoint  http://127.0.0.1:${port}/mcp (bearer token in ${directory}/mcp-token)`,
    `  health        http://127.0.0.1:${port}/health`,
    ...(signIns === null ? [] : [`  sign-ins      ${placeOf(signIns)}`]),
    'Try, in another terminal:',
    `  npx toolledger call roll_dice '{"notation":"4d6kh3+2"}'${data}`,
    `  npx toolledger audit search${data}`,
    `  npx toolledger mcp add http://127.0.0.1:3001/mcp --name everything${data}`,
  ];
}

function placeOf({ port, publicUrl }: NonNullable<Serving['signIns']>): string {
  const here = `http://127.0.0.1:${port}/oauth/`;
  return publicUrl === null ? here : `${publicUrl}/oauth/ (to be passed on to ${here})`;
}

/** A path as a shell reads it. */
function quoted(path: string): string {
  return /^[\w./+,:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
