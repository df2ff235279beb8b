import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { removerOf } from '../../../platform/scrub/knownSecrets.js';
import type { RemoteOutcome } from '../../../tools/remoteTools.js';
import { safeMessage } from '../failures/safeMessage.js';
import { visibleResultText } from '../listing/visibleText.js';

/**
 * What a caller gets of a call: an answer without hidden characters and without the secrets in use for the server, and
 * messages that are safe to show. What else looks like a secret stays: it is the caller's own.
 */
export function safeOutcome(outcome: RemoteOutcome, secrets: readonly string[]): RemoteOutcome {
  const message = 'message' in outcome ? { message: safeMessage(outcome.message, secrets) } : {};
  if (outcome.kind !== 'answered' && outcome.kind !== 'invalid') return { ...outcome, ...message };
  const remove = removerOf(secrets);
  const clean = (text: string): string => remove(visibleResultText(text));
  const content = outcome.content.map((part) => cleaned(part, clean));
  const structured = outcome.structured === null ? null : cleaned(outcome.structured, clean);
  return { ...outcome, ...message, content, structured };
}

function cleaned(object: JsonObject, clean: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [clean(key), cleanedValue(value, clean)]));
}

function cleanedValue(value: JsonValue, clean: (text: string) => string): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return (value as JsonValue[]).map((item) => cleanedValue(item, clean));
  return isJsonObject(value) ? cleaned(value, clean) : value;
}
