import { z } from 'zod';
import { Fault, type FaultKind } from '../platform/fault.js';
import type { JsonObject, JsonValue } from '../platform/json.js';

/** Most bytes of one line, either way. */
export const maxLineBytes = 32 * 1024 * 1024;

/** What is asked of the owner. */
export interface OwnerRequest {
  /** Name of an operation. */
  readonly operation: string;
  readonly input: JsonValue;
  /** What the asking door knows of who asks, e.g. on whose behalf; the owner judges it. */
  readonly caller: JsonObject;
}

const requestId = z.string().min(1).max(64);

const json = z.custom<JsonValue>((value) => value !== undefined, 'is missing');
const jsonObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'is not an object');

/** A line from a client: a request, or that an earlier one is to be cancelled. */
export const clientLine = z.union([
  z.strictObject({ id: requestId, cancel: z.literal(true) }),
  z.strictObject({ id: requestId, operation: z.string().min(1).max(64), input: json, caller: jsonObject }),
]);
export type ClientLine = z.output<typeof clientLine>;

const faultKinds = ['failed', 'usage', 'damaged'] as const satisfies readonly FaultKind[];

const wireError = z.object({ kind: z.enum(faultKinds), code: z.string(), message: z.string(), details: jsonObject });

/** A line from the owner. `id` is null when a line could not be read and so answers no request. */
export const ownerLine = z.union([
  z.object({ id: requestId, progress: json }),
  z.object({ id: requestId, result: json }),
  z.object({ id: requestId.nullable(), error: wireError }),
]);
export type OwnerLine = z.output<typeof ownerLine>;

/** A fault as it crosses the socket. */
export function toWire(fault: Fault): z.output<typeof wireError> {
  return { kind: fault.kind, code: fault.code, message: fault.message, details: fault.details };
}

export function fromWire(error: z.output<typeof wireError>): Fault {
  return new Fault(error.kind, error.code, error.message, error.details);
}
