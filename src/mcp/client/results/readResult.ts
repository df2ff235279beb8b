import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import type { RemoteOutcome } from '../../../tools/remoteTools.js';
import { compiledOnce } from '../schemas/schemasOf.js';
import { contentPart } from './contentPart.js';

/**
 * What the result of `tools/call` says became of the call. The tool's own word that it failed (`isError`) is taken, and
 * what it then brings need not fit the output schema.
 * @param outputSchema as it was recorded; undefined when the tool has none
 */
export function readResult(result: unknown, outputSchema: JsonObject | undefined): RemoteOutcome {
  if (!isJsonObject(result)) return unusable('The result is not an object.');
  const { content, structuredContent, isError, task, resultType } = result;
  if (isJsonObject(task) || resultType === 'task') return unusable('The server started a task instead of answering, which is not supported. It may still run there.');
  if (resultType === 'input_required') {
    return { kind: 'rejected', code: 'unsupported', message: 'The server wants more input before it answers (input_required), which is not supported.' };
  }
  if (resultType !== undefined && resultType !== 'complete') return unusable('The result is of a kind that is not known.');
  if (content !== undefined && !Array.isArray(content)) return unusable('The content of the result is not a list.');
  const parts = (content as readonly JsonValue[] | undefined) ?? [];
  const structured = isJsonObject(structuredContent) ? structuredContent : null;
  const odd = structuredContent === undefined || structuredContent === null || structured !== null ? [] : [structuredContent];
  const answer = { content: [...parts, ...odd].map(contentPart), structured };
  const problem = isError === true || outputSchema === undefined ? null : problemWith(structuredContent, outputSchema);
  return problem === null ? { kind: 'answered', isError: isError === true, ...answer } : { kind: 'invalid', message: problem, ...answer };
}

function problemWith(structuredContent: JsonValue | undefined, outputSchema: JsonObject): string | null {
  const broken = 'The tool ran, and its answer breaks the output schema it was listed with:';
  if (structuredContent === undefined) return `${broken} there is no structured content.`;
  const schema = compiledOnce(outputSchema);
  const problem = typeof schema === 'string' ? `It could not be checked (${schema}).` : schema.check(structuredContent);
  return problem === null ? null : `${broken} ${problem}`;
}

function unusable(message: string): RemoteOutcome {
  return { kind: 'unknown', cause: 'protocol_error', message };
}
