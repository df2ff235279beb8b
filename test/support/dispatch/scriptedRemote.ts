import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../src/platform/canonicalJson.js';
import type { JsonObject } from '../../../src/platform/json.js';
import type { OfferedTool, RemoteOutcome, RemoteTools, ToolListing } from '../../../src/tools/remoteTools.js';

/** A tool as a server would list it. */
export function offeredTool(name: string, change: { readonly description?: string; readonly remoteName?: string; readonly inputSchema?: JsonObject } = {}): OfferedTool {
  const remoteName = change.remoteName ?? name;
  const definition = { name: remoteName, description: change.description ?? `Does ${name}.`, inputSchema: change.inputSchema ?? { type: 'object', properties: { message: { type: 'string' } } } };
  return { name, remoteName, definition, hash: createHash('sha256').update(canonicalJson(definition)).digest('hex') };
}

/** A listing of these tools with nothing left out. */
export function listingOf(...tools: readonly OfferedTool[]): ToolListing {
  return { tools, skipped: [], instructions: null };
}

/** The remote port with servers that answer as a test says. */
export interface ScriptedRemote extends RemoteTools {
  connect: RemoteTools['connect'];
  call: RemoteTools['call'];
  /** What was sent, in order. */
  readonly sent: { readonly remoteName: string; readonly args: JsonObject }[];
}

/** @param listing what the server offers when it is dialled */
export function scriptedRemote(listing: ToolListing, answer: RemoteOutcome = textAnswer('done')): ScriptedRemote {
  const sent: { remoteName: string; args: JsonObject }[] = [];
  return {
    sent,
    connect: async () => ({ ok: true, listing }),
    call: async (_server, remoteName, args) => {
      sent.push({ remoteName, args });
      return answer;
    },
    disconnect: async () => undefined,
  };
}

export function textAnswer(text: string, isError = false): RemoteOutcome {
  return { kind: 'answered', isError, content: [{ type: 'text', text }], structured: null };
}
