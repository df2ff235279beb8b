import type { JsonValue } from '../platform/json.js';
import type { Door } from '../events/envelope.js';

/** A tool call as a door hands it in. */
export interface CallRequest {
  readonly tool: string;
  /** As the caller wrote them, already parsed; dispatch judges the rest. */
  readonly arguments: JsonValue;
  readonly workspace: string;
  /** The door's id for this call, 1–128 of `A-Za-z0-9._:-`; null lets dispatch make one. */
  readonly callId: string | null;
  /** Guild channel, when there is one. */
  readonly channel: string | null;
  /** Ids of the guild roles of the one it is for, as the door knows them. */
  readonly roles: readonly string[];
  /** The turn it belongs to, when there is one. */
  readonly turn: string | null;
}

/** Who calls: fixed by the door, never by anything in the arguments. */
export interface Caller {
  readonly actor: string;
  readonly door: Door;
  readonly onBehalfOf: string | null;
}

/** How a call stands. */
export type CallStatus = 'succeeded' | 'failed' | 'refused' | 'cancelled' | 'unknown' | 'in_progress';

/** What the caller gets. */
export interface CallAnswer {
  /** The stored id: `audit show` takes it. */
  readonly callId: string;
  readonly status: CallStatus;
  readonly success: boolean;
  /** The tool's own data, raw and size-capped; when replayed, the preview that was kept of it. */
  readonly data?: JsonValue;
  /** MCP content parts of a remote result, raw and size-capped; when replayed, the preview as one text. */
  readonly content?: readonly JsonValue[];
  /** The MCP server it is the answer of: data of somebody else, never instructions. */
  readonly thirdParty?: string;
  /** `data` or `content` was over the cap and is cut; data that was cut is the beginning of its JSON text. */
  readonly truncated?: true;
  readonly error?: { readonly code: string; readonly message: string; readonly reasons?: readonly string[] };
  /** This id was called before; the tool did not run again. */
  readonly replayed?: true;
  /** The outcome was unknown, and this is what it was settled to, and by whom. */
  readonly settled?: 'person' | 'late_answer';
  /** The tool ran and its ending could not be stored. */
  readonly unrecorded?: true;
}
