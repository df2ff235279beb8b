import { z } from 'zod';
import { toolCallDecider, toolCallStream } from '../../commands/toolCall/toolCall.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { refusedFault } from '../refusedFault.js';

/** Records what became of a call whose outcome was unknown, on a person's word. */
export const settleCall = operation({
  name: 'settleCall',
  reach: 'owner',
  ifLost: 'Look with `toolledger audit show` before you repeat it.',
  input: z.object({
    callId: z.string().min(1),
    verdict: z.enum(['succeeded', 'failed']),
    because: z.string().trim().min(1, 'say how you know').max(2000),
  }),
  output: z.object({ callId: z.string(), verdict: z.enum(['succeeded', 'failed']) }),
  async run({ handler, store }, { callId, verdict, because }, { caller }) {
    const stream = toolCallStream(callId);
    const [first] = await store.readStream(stream, 0, 1);
    const outcome = await handler.execute(
      toolCallDecider,
      stream,
      [
        {
          type: 'Settle',
          data: { verdict, source: 'person', result: null },
          subject: caller.onBehalfOf ?? caller.actor,
          personal: { because },
        },
      ],
      originOf(caller, first?.workspace ?? 'local'),
    );
    if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { callId });
    return { callId, verdict };
  },
});
