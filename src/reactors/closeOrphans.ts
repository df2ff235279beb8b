import { systemOrigin, type CommandHandler } from '../commands/commandHandler.js';
import { toolCallDecider, toolCallStream } from '../commands/toolCall/toolCall.js';
import { systemSubject } from '../events/envelope.js';

/** Calls closed at the same time, so that their appends share a commit. */
const atOnce = 64;

/** A call without an ending, as a view knows it. */
export interface OpenCall {
  readonly callId: string;
  readonly workspace: string;
}

/**
 * Ends calls whose process is gone: their outcome is unknown. The stream has the last word, so a call that the view
 * only believes to be open, or that this process itself runs, is left alone.
 * @param runner this process instance
 * @returns how many were closed
 * @throws EventStoreError when the ledger cannot take an ending
 */
export async function closeOrphans({
  handler,
  openCalls,
  runner,
}: {
  readonly handler: CommandHandler;
  readonly openCalls: readonly OpenCall[];
  readonly runner: string;
}): Promise<number> {
  let closed = 0;
  for (let at = 0; at < openCalls.length; at += atOnce) {
    const done = await Promise.all(openCalls.slice(at, at + atOnce).map((call) => closeOrphan(handler, call, runner)));
    closed += done.filter(Boolean).length;
  }
  return closed;
}

async function closeOrphan(handler: CommandHandler, { callId, workspace }: OpenCall, runner: string): Promise<boolean> {
  const stream = toolCallStream(callId);
  const { state } = await handler.load(toolCallDecider, stream);
  if (state.kind !== 'open' || state.call.runner === runner) return false;
  const origin = systemOrigin(workspace);
  const data = { durationMs: null, cause: 'crash' } as const;
  const outcome = await handler.execute(toolCallDecider, stream, [{ type: 'LoseTrack', data, subject: systemSubject, personal: {} }], origin);
  return outcome.kind === 'recorded';
}
