import { z } from 'zod';
import type { JsonValue } from '../../platform/json.js';
import { scrubText } from '../../platform/scrub/scrubText.js';
import { doorArguments } from './doorArguments.js';
import { operation } from '../operation.js';
import { discordId, workspaceId } from '../words.js';

const answer = z.object({
  callId: z.string(),
  status: z.enum(['succeeded', 'failed', 'refused', 'cancelled', 'unknown', 'in_progress']),
  success: z.boolean(),
  data: z.custom<JsonValue>().exactOptional(),
  content: z.array(z.custom<JsonValue>()).readonly().exactOptional(),
  error: z.object({ code: z.string(), message: z.string(), reasons: z.array(z.string()).readonly().exactOptional() }).exactOptional(),
  thirdParty: z.string().exactOptional(),
  replayed: z.literal(true).exactOptional(),
  settled: z.enum(['person', 'late_answer']).exactOptional(),
  unrecorded: z.literal(true).exactOptional(),
  truncated: z.literal(true).exactOptional(),
});

/** One ledgered tool call. */
export const callTool = operation({
  name: 'callTool',
  reach: 'owner',
  ifLost: 'Look for the call with `toolledger audit search`. With the --call-id it had it can be repeated: no id runs twice.',
  input: z.object({
    tool: z.string().min(1, 'a tool name is needed'),
    /** Any JSON value; dispatch judges it. */
    arguments: z.custom<JsonValue>((value) => value !== undefined, 'arguments are needed, `{}` for none'),
    workspace: workspaceId,
    /** The door's own id of this call; the same id is never run twice. */
    callId: z.string().nullable().default(null),
    channel: z.string().nullable().default(null),
    /** Guild roles of the one it is for. */
    roles: z.array(discordId).max(500).default([]),
    turn: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'a turn is 1 to 128 of A-Z a-z 0-9 . _ : -')
      // It is stored in clear and outlives the person it belongs to.
      .refine((turn) => scrubText(turn).rules.length === 0, 'a turn is an id, and this looks like a secret')
      .nullable()
      .default(null),
  }),
  output: answer,
  async run({ dispatch }, input, { caller, signal, progress }) {
    return dispatch.call({ ...input, arguments: doorArguments(input.arguments) }, caller, signal, (how) => progress({ ...how }));
  },
});
