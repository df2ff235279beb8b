import { callIdOf } from '../../../commands/toolCall/callId.js';
import type { Origin } from '../../../commands/commandHandler.js';
import type { KeyStore } from '../../../commands/keyStore.js';
import { toolCallStream } from '../../../commands/toolCall/toolCall.js';
import { workspaceKindOf } from '../../../commands/workspaceId.js';
import { systemSubject } from '../../../events/envelope.js';
import { Fault } from '../../../platform/fault.js';
import { quoteGiven } from '../../../platform/text/given.js';
import type { NewId } from '../../../platform/ids.js';
import type { Asker } from '../../availability/facts.js';
import type { Caller, CallRequest } from '../../call.js';
import type { CallProgress } from '../../remoteTools.js';
import { readArguments, type ReadArguments } from './argumentLimits.js';

/** Takes how far a running call is. */
export type OnProgress = (progress: CallProgress) => void;

/** One call on its way through dispatch. */
export interface Call {
  /** The stored id. */
  readonly callId: string;
  readonly stream: string;
  /** Whether the door gave the id, so that the call may have been made before. */
  readonly given: boolean;
  readonly request: CallRequest;
  /** The person it is for, else who acts: owner of its personal values. */
  readonly subject: string;
  /** That person's key, or null when there is none (any more). */
  readonly key: Uint8Array | null;
  readonly origin: Origin;
  readonly arguments: ReadArguments;
  /** Aborted with the reason `caller`, `shutdown` or `timeout`. */
  readonly stop: AbortController;
  readonly onProgress: OnProgress;
}

/** For whom the call is judged. */
export function askerOf({ subject, request: { channel, roles } }: Pick<Call, 'subject' | 'request'>): Asker {
  return { subject, channel, roles };
}

/**
 * Reads what a door handed in.
 * @throws Fault `invalid_call_id`, `invalid_workspace` or `invalid_channel`; nothing was recorded then
 */
export async function readCall(
  request: CallRequest,
  caller: Caller,
  { stop, onProgress }: Pick<Call, 'stop' | 'onProgress'>,
  { keys, newId }: { readonly keys: KeyStore; readonly newId: NewId },
): Promise<Call> {
  workspaceKindOf(request.workspace);
  checkChannel(request.channel);
  const subject = caller.onBehalfOf ?? caller.actor;
  const callId = request.callId === null ? newId() : callIdOf({ workspace: request.workspace, caller: subject, givenId: request.callId });
  return {
    callId,
    stream: toolCallStream(callId),
    given: request.callId !== null,
    request,
    subject,
    key: subject === systemSubject ? null : await keys.keyOf(subject),
    origin: {
      actor: caller.actor,
      door: caller.door,
      onBehalfOf: caller.onBehalfOf,
      workspace: request.workspace,
      correlation: request.turn,
      causation: null,
    },
    arguments: readArguments(request.arguments),
    stop,
    onProgress,
  };
}

function checkChannel(channel: string | null): void {
  if (channel === null || /^[0-9]{1,20}$/.test(channel)) return;
  throw new Fault('usage', 'invalid_channel', `${quoteGiven(channel)} is no channel; a guild channel is 1 to 20 digits.`);
}
