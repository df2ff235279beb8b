import type { CallAnswer, CallRequest, Caller } from './call.js';
import type { DeclaredVerdict } from './availability.js';
import type { Asker } from './availability/facts.js';
import { failedAnswer } from './dispatch/ending/answers.js';
import { readCall, type Call, type OnProgress } from './dispatch/begin/call.js';
import { declareWorkspace, type UndiscoveredServer } from './dispatch/declareWorkspace.js';
import { makeEndings } from './dispatch/ending/endings.js';
import type { Flow } from './dispatch/flow.js';
import { judgeCall } from './dispatch/begin/judgeCall.js';
import type { DispatchParts } from './dispatch/parts.js';
import { makeRefusals } from './dispatch/refusing/refusals.js';
import { gatherServers } from './gatherServers.js';
import { repeatCall } from './dispatch/repeating/repeatCall.js';
import { troubleOf } from './dispatch/refusing/trouble.js';

/** Every tool of a workspace with its verdict, and the servers whose tools nobody knows yet. */
interface Declaration {
  readonly tools: readonly DeclaredVerdict[];
  readonly undiscovered: readonly UndiscoveredServer[];
}

/** Runs tool calls through the ledger. */
export interface Dispatch {
  /**
   * Judges, records, runs and records the ending of one call. What goes wrong with the tool or the ledger is in the
   * answer.
   * @param signal aborts when the caller gives up
   * @param onProgress takes what a remote tool says of how far it is
   * @throws Fault `invalid_call_id`, `invalid_workspace` or `invalid_channel` before anything is recorded
   */
  call(request: CallRequest, caller: Caller, signal: AbortSignal, onProgress?: OnProgress): Promise<CallAnswer>;
  /**
   * Reaches the servers of a workspace whose tools a turn is about to be shown. Waits only for servers whose tools
   * nobody knows yet, and at most 2 s.
   */
  gather(workspace: string, signal: AbortSignal): Promise<void>;
  /** What models may call in a workspace, judged as `call` would judge it now. Dials nothing. */
  declare(workspace: string, asker: Asker): Promise<Declaration>;
  /** How many calls are running. */
  inFlight(): number;
  /**
   * Takes no more calls, waits for the running ones, and records what was not recorded so far: counted
   * refusals, and that the outcome of calls whose ending got lost is unknown.
   * @param deadline when it aborts, running calls are told to stop
   */
  drain(deadline?: AbortSignal): Promise<void>;
}

export function makeDispatch(parts: DispatchParts): Dispatch {
  const endings = makeEndings(parts);
  const refusals = makeRefusals(parts);
  const flow: Flow = { parts, endings, refusals, repeat: (call, judged, state) => repeatCall(flow, call, judged, state) };
  const judge = judgeCall(flow);
  const running = new Map<Promise<CallAnswer>, AbortController>();
  let draining = false;

  async function run(request: CallRequest, caller: Caller, stop: AbortController, onProgress: OnProgress): Promise<CallAnswer> {
    const call = await readCall(request, caller, { stop, onProgress }, parts);
    if (draining) return { callId: call.callId, ...failedAnswer('shutting_down', 'The process is stopping and takes no more calls. Nothing was run.') };
    try {
      const trouble = await endings.ready();
      return trouble === null ? await judge(call) : notTaken(call, trouble);
    } catch (error) {
      return notTaken(call, troubleOf(error));
    }
  }

  return {
    async call(request, caller, signal, onProgress = () => undefined) {
      const stop = new AbortController();
      const giveUp = (): void => stop.abort('caller');
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      const answer = run(request, caller, stop, onProgress);
      running.set(answer, stop);
      try {
        return await answer;
      } finally {
        running.delete(answer);
        signal.removeEventListener('abort', giveUp);
      }
    },

    gather: (workspace, signal) => gatherServers(parts, workspace, signal),

    declare: (workspace, asker) => declareWorkspace(parts, workspace, asker),

    inFlight: () => running.size,

    async drain(deadline) {
      draining = true;
      const stopAll = (): void => running.forEach((stop) => stop.abort('shutdown'));
      if (deadline?.aborted === true) stopAll();
      deadline?.addEventListener('abort', stopAll, { once: true });
      await Promise.allSettled(running.keys());
      deadline?.removeEventListener('abort', stopAll);
      await endings.ready();
      await refusals.flush();
    },
  };
}

function notTaken(call: Call, { code, message }: { readonly code: string; readonly message: string }): CallAnswer {
  return { callId: call.callId, ...failedAnswer(code, message) };
}
