import { hash } from 'node:crypto';
import { Fault } from '../../platform/fault.js';
import { quoteGiven } from '../../platform/text/given.js';

const allowed = /^[A-Za-z0-9._:-]{1,128}$/;

/** A call's id as a door gives it, and whose it is. */
export interface GivenCall {
  readonly workspace: string;
  /** The subject the call is for, else the one who acts. */
  readonly caller: string;
  readonly givenId: string;
}

/**
 * The id a call is stored under. It hangs on workspace and caller, so nobody reaches another's call by its id.
 * @returns 32 hex digits, the first half of a SHA-256: short enough to read, too long to collide
 * @throws Fault `invalid_call_id` when the given id is not 1 to 128 of `A-Za-z0-9._:-`
 */
export function callIdOf(call: GivenCall): string {
  checkCallId(call.givenId);
  return hash('sha256', JSON.stringify(['toolledger/call-id@1', call.workspace, call.caller, call.givenId]), 'hex').slice(0, 32);
}

/**
 * Checks an id that somebody gave to a call.
 * @throws Fault `invalid_call_id`
 */
export function checkCallId(id: string): void {
  if (allowed.test(id)) return;
  throw new Fault(
    'usage',
    'invalid_call_id',
    `${quoteGiven(id)} (${id.length} characters) is no call id; it must be 1 to 128 characters of A-Z, a-z, 0-9, ".", "_", ":" and "-". Nothing was recorded.`,
  );
}
