import type { CommandHandler, Origin } from '../commands/commandHandler.js';
import { turnDecider, turnStream } from '../commands/turn.js';
import type { DeclaredVerdict } from './availability.js';
import type { UndiscoveredServer } from './dispatch/declareWorkspace.js';

/** What is shown, as `Dispatch.declare` gives it. */
export interface Declaration {
  readonly tools: readonly DeclaredVerdict[];
  readonly undiscovered: readonly UndiscoveredServer[];
}

/**
 * Records what a model or client is about to be shown: the list that names every tool and its definition,
 * when it differs from what the turn was shown last. The texts are on record by then: built-in ones since the start, a
 * server's since they were discovered.
 * @throws EventStoreError when the ledger cannot take it: then nothing may be shown
 */
export async function recordDeclaration(handler: CommandHandler, { tools, undiscovered }: Declaration, turn: string, origin: Origin): Promise<void> {
  const shown = tools.flatMap(({ subject: { definition }, available, declared }) => (available && declared !== null ? [{ name: declared.name, definition }] : []));
  const leftOut = tools.filter(({ available }) => !available).map(({ subject: { name }, reasons }) => ({ name, reasons }));
  const unknown = undiscovered.map(({ serverName, reason }) => ({ server: serverName, reason }));
  await handler.execute(turnDecider, turnStream(turn), [{ type: 'Declare', shown: { tools: shown, leftOut, undiscovered: unknown } }], origin);
}
