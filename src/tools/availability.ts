import type { RecordedToolDefinition } from '../events/catalogue/toolDefinition.js';
import type { BuiltIns } from './availability/builtIns.js';
import { subjectsOf, type ToolSubject } from './availability/facts.js';
import { availabilityLayers, type Layer } from './availability/layers.js';
import type { ReasonCode } from './availability/reasons.js';
import type { World } from './availability/world.js';
import type { DeclaredTool } from './tool.js';

/** Whether a tool may be used, and every reason why not. */
export interface Verdict {
  readonly subject: ToolSubject;
  readonly available: boolean;
  /** Empty exactly when it is available. */
  readonly reasons: readonly ReasonCode[];
}

/** A verdict with what models are told of the tool; null when its text is not known. */
export interface DeclaredVerdict extends Verdict {
  readonly declared: DeclaredTool | null;
}

/**
 * Asks every layer. Used for declaring and for running, so that both always agree.
 * Never throws: a tool that cannot be judged is out, and the others are not touched by it.
 */
export function judge(subject: ToolSubject, world: World, layers: readonly Layer[] = availabilityLayers): Verdict {
  let reasons: readonly ReasonCode[];
  try {
    reasons = layers.map((layer) => layer(subject, world)).filter((reason) => reason !== null);
  } catch {
    reasons = ['judging_failed'];
  }
  return { subject, available: reasons.length === 0, reasons };
}

/** Every tool there is in a workspace, as subjects: built-in ones first, then those of servers as they are registered. */
export function allSubjects(world: World, { tools }: BuiltIns): readonly ToolSubject[] {
  const own = tools.map(({ name, definition }): ToolSubject => ({ kind: 'builtin', name, definition }));
  return [...own, ...(world.facts.servers ?? []).flatMap(subjectsOf)];
}

/**
 * Judges every tool and says how it is declared.
 * @param textOf the recorded definition of a hash; a remote tool without one cannot be declared and is out
 */
export function declareTools(
  world: World,
  builtIns: BuiltIns,
  textOf: (definition: string) => RecordedToolDefinition | null,
): readonly DeclaredVerdict[] {
  return allSubjects(world, builtIns).map((subject) => {
    const verdict = judge(subject, world);
    const declared = subject.kind === 'builtin' ? (builtIns.find(subject.name)?.declared ?? null) : remoteDeclaration(subject, textOf(subject.definition));
    if (declared !== null) return { ...verdict, declared };
    return { ...withReason(verdict, 'definition_missing'), declared };
  });
}

/** A verdict with one more reason against the tool. */
export function withReason(verdict: Verdict, reason: ReasonCode): Verdict {
  return { ...verdict, available: false, reasons: [...verdict.reasons, reason] };
}

function remoteDeclaration({ name, serverName }: ToolSubject & { readonly kind: 'mcp' }, text: RecordedToolDefinition | null): DeclaredTool | null {
  if (text === null) return null;
  return { name, title: text.title ?? null, description: text.description, inputSchema: text.inputSchema, thirdParty: serverName };
}
