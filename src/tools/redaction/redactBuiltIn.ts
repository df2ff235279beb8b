import type { RedactionNote } from '../../events/catalogue/toolCall.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { knownHere } from '../../platform/scrub/knownKeys.js';
import { scrubValue } from '../../platform/scrub/scrubValue.js';
import type { BuiltInTool, ParameterStatement } from '../tool.js';
import { parameterDigest } from './digests.js';

/** What the ledger may keep of the parameters of a built-in tool. */
export interface RedactedParameters {
  /** In clear: validated values, `{"present": true}` and `{"digest": …}` marks. */
  readonly parameters: JsonObject;
  /** Sealed with the person's key; undefined when there is nothing. */
  readonly personal: JsonObject | undefined;
  readonly notes: readonly RedactionNote[];
}

/**
 * Keeps of each parameter what the tool's statement allows. A parameter without a statement is not kept. Values, clear
 * or personal, are scrubbed all the same.
 * @param valid whether the parameters passed the tool's own validation; else what would be clear counts as personal
 * @param subjectKey key of the person the call is for, or null when there is none: then digests are null
 */
export function redactBuiltIn(
  statements: BuiltInTool['ledger'],
  parameters: JsonObject,
  { valid, subjectKey }: { readonly valid: boolean; readonly subjectKey: Uint8Array | null },
): RedactedParameters {
  const marks: [string, JsonValue][] = [];
  const values: [string, JsonValue][] = [];
  const notes: RedactionNote[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    const statement = statementOf(statements, name);
    if (statement === undefined) notes.push({ path: '/*', rule: 'unclassified' });
    else if (statement === 'value' || statement === 'personal') values.push([name, value]);
    else {
      marks.push([name, statement === 'presence' ? { present: true } : { digest: subjectKey === null ? null : parameterDigest(subjectKey, name, value) }]);
      notes.push({ path: `/${name}`, rule: statement });
    }
  }
  const scrubbed = scrubValue(Object.fromEntries(values), knownHere(Object.keys(statements)));
  const kept = Object.entries(scrubbed.value as JsonObject);
  const isClear = ([name]: [string, JsonValue]): boolean => valid && statementOf(statements, name) === 'value';
  const personal = kept.filter((entry) => !isClear(entry));
  return {
    parameters: Object.fromEntries([...kept.filter(isClear), ...marks]),
    personal: personal.length === 0 ? undefined : Object.fromEntries(personal),
    notes: [...onceEach(notes), ...scrubbed.notes],
  };
}

function statementOf(statements: BuiltInTool['ledger'], name: string): ParameterStatement | undefined {
  return Object.hasOwn(statements, name) ? statements[name] : undefined;
}

function onceEach(notes: readonly RedactionNote[]): readonly RedactionNote[] {
  return [...new Map(notes.map((note) => [`${note.path} ${note.rule}`, note])).values()];
}
