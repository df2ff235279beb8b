import type { Outcome } from '../../commands/commandHandler.js';
import { ledgerPrivacyDecider, ledgerPrivacyStream, type LedgerPrivacyCommand, type LedgerPrivacyState } from '../../commands/ledgerPrivacy.js';
import type { LedgerPrivacyEvent } from '../../events/catalogue/ledgerPrivacy.js';
import type { Caller } from '../../tools/call.js';
import { originOf } from '../origin.js';
import { refusedFault } from '../refusedFault.js';
import type { OwnerServices } from '../services.js';

/**
 * Records what is asked about a person or what is sealed of them.
 * @throws Fault with the code of the decider's refusal
 */
export async function decidePrivacy(
  { handler }: Pick<OwnerServices, 'handler'>,
  command: LedgerPrivacyCommand,
  caller: Caller,
): Promise<Exclude<Outcome<LedgerPrivacyState, LedgerPrivacyEvent, never>, { kind: 'refused' }>> {
  const outcome = await handler.execute(ledgerPrivacyDecider, ledgerPrivacyStream, [command], originOf(caller, 'local'));
  if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, 'subject' in command ? { subject: command.subject } : {});
  return outcome;
}
