import type { CommandHandler, Origin } from '../../../commands/commandHandler.js';
import { storeTroubleOf } from '../../../commands/handler/storeTrouble.js';
import { toolCallDecider, type ToolCallCommand } from '../../../commands/toolCall/toolCall.js';
import type { Call } from '../begin/call.js';
import type { DispatchParts } from '../parts.js';
import type { Trouble } from '../refusing/trouble.js';
import { within } from '../../../platform/time/within.js';

const overloadWaitMs = 200;
const overloadAttempts = 10;

/** A command that ends a call. */
export type EndCommand = Extract<ToolCallCommand, { readonly type: 'Succeed' | 'Fail' | 'LoseTrack' | 'Cancel' }>;

/** Records endings and keeps in mind those that could not be. */
export interface Endings {
  /** @returns whether the ending is recorded; if not, no new call is let in before the ledger knows that it is missing */
  end(call: Call, command: EndCommand): Promise<boolean>;
  /**
   * Whether new calls may be let in. First records, for every ending that got lost, that its outcome is unknown.
   * @returns null when they may
   */
  ready(): Promise<Trouble | null>;
}

export function makeEndings({ handler, writable, schedule, warn }: Pick<DispatchParts, 'handler' | 'writable' | 'schedule' | 'warn'>): Endings {
  const lost = new Map<string, { readonly stream: string; readonly subject: string; readonly origin: Origin }>();
  let recovery: Promise<Trouble | null> | null = null;

  async function recover(): Promise<Trouble | null> {
    for (const [callId, { stream, subject, origin }] of lost) {
      if (!writable().ok) return readOnly;
      try {
        const data = { durationMs: null, cause: 'ending_not_stored' } as const;
        await handler.execute(toolCallDecider, stream, [{ type: 'LoseTrack', data, subject, personal: {} }], origin);
      } catch {
        return readOnly;
      }
      lost.delete(callId);
    }
    return null;
  }

  return {
    async end(call, command) {
      try {
        const outcome = await retryOverload(handler, call, command, schedule);
        if (outcome !== 'refused') return true;
        warn({ callId: call.callId }, 'the call was ended by somebody else first');
        return false;
      } catch (error) {
        lost.set(call.callId, { stream: call.stream, subject: call.subject, origin: call.origin });
        warn({ callId: call.callId, error: error instanceof Error ? error.message : 'unknown' }, 'the ending of a call could not be recorded');
        return false;
      }
    },

    async ready() {
      if (lost.size === 0) return null;
      recovery ??= recover().finally(() => {
        recovery = null;
      });
      return recovery;
    },
  };
}

const readOnly: Trouble = {
  code: 'ledger_read_only',
  message: 'The ending of an earlier call could not be recorded, so no new calls are run. Free disk space or repair the disk, then restart.',
};

/** An ending is worth waiting for while the ledger only has too much to do. */
async function retryOverload(handler: CommandHandler, call: Call, command: EndCommand, schedule: DispatchParts['schedule']): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await handler.execute(toolCallDecider, call.stream, [command], call.origin)).kind;
    } catch (error) {
      if (attempt >= overloadAttempts || storeTroubleOf(error)?.code !== 'overloaded') throw error;
      await within(new Promise<never>(() => undefined), overloadWaitMs, schedule);
    }
  }
}
