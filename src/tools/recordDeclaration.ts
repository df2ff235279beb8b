import { hash } from 'node:crypto';
import type { CommandHandler, Origin } from '../commands/commandHandler.js';
import { toolDefinitionDecider, toolDefinitionStream } from '../commands/toolDefinition.js';
import { turnDecider, turnStream } from '../commands/turn.js';
import type { RecordedToolDefinition } from '../events/catalogue/toolDefinition.js';
import { canonicalJson } from '../platform/canonicalJson.js';
import type { DeclaredVerdict } from './availability.js';
import type { UndiscoveredServer } from './dispatch/declareWorkspace.js';
import type { DeclaredTool } from './tool.js';

/** What is shown, as `Dispatch.declare` gives it. */
export interface Declaration {
  readonly tools: readonly DeclaredVerdict[];
  readonly undiscovered: readonly UndiscoveredServer[];
}

/**
 * Records what a model or client is about to be shown: first the texts of built-in tools (a server's are recorded when
 * they are discovered), then the list that names them all, when it differs from what the turn was shown last.
 * @throws EventStoreError when the ledger cannot take it: then nothing may be shown
 */
export async function recordDeclaration(handler: CommandHandler, { tools, undiscovered }: Declaration, turn: string, origin: Origin): Promise<void> {
  const shown = [];
  for (const { subject, available, declared } of tools) {
    if (!available || declared === null) continue;
    const definition = subject.kind === 'mcp' ? subject.definition : await recordBuiltIn(handler, declared, origin);
    shown.push({ name: declared.name, definition });
  }
  const leftOut = tools.filter(({ available }) => !available).map(({ subject: { name }, reasons }) => ({ name, reasons }));
  const unknown = undiscovered.map(({ serverName, reason }) => ({ server: serverName, reason }));
  await handler.execute(turnDecider, turnStream(turn), [{ type: 'Declare', shown: { tools: shown, leftOut, undiscovered: unknown } }], origin);
}

/** @returns the hash of the text */
async function recordBuiltIn(handler: CommandHandler, tool: DeclaredTool, origin: Origin): Promise<string> {
  const definition = definitionOf(tool);
  const definitionHash = hash('sha256', canonicalJson(definition), 'hex');
  const stream = toolDefinitionStream(definitionHash);
  const { state } = await handler.load(toolDefinitionDecider, stream);
  if (!state.recorded) await handler.execute(toolDefinitionDecider, stream, [{ type: 'Record', hash: definitionHash, definition }], origin);
  return definitionHash;
}

/** A built-in tool's text in the form that servers' definitions have. */
function definitionOf({ name, title, description, inputSchema }: DeclaredTool): RecordedToolDefinition {
  return { name, ...(title !== null && { title }), description, inputSchema };
}
