import type { AnyEvent } from '../../../../events/catalogue/catalogue.js';
import type { ExportEntry } from '../../exportEntry.js';
import type { Activity } from './activity.js';

const names = { 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete' } as const;

/** What administrative events do to the thing they are about; types that do none of the four are not listed. */
const activities: { readonly [Type in AnyEvent['type']]?: keyof typeof names } = {
  WorkspaceOpened: 1,
  WorkspaceClosed: 4,
  ToolSwitchSet: 3,
  DefinitionPolicySet: 3,
  McpServerRegistered: 1,
  McpServerEnabled: 3,
  McpServerDisabled: 3,
  McpServerRemoved: 4,
  McpToolsDiscovered: 2,
  McpToolDefinitionsAccepted: 3,
  ToolDefinitionRecorded: 1,
  BuiltInToolsOffered: 2,
  SubjectErased: 4,
  SubjectHeld: 3,
  SubjectReleased: 3,
  PersonalValuesOpened: 2,
  ExportMade: 2,
  EventsDropped: 4,
  ToolsDeclared: 2,
  LedgerSealed: 1,
  SealingKeyRotated: 3,
};

/**
 * What an event of no single call says as an API activity: its type is the operation, and it happened.
 * @returns null where only a stub is left: who did what is gone
 */
export function administrativeActivity({ event, known }: ExportEntry): Activity | null {
  if (known.type === 'PayloadDropped') return null;
  const activityId = activities[known.type];
  return {
    activityId: activityId ?? 99,
    activityName: activityId === undefined ? event.type : names[activityId],
    actor: event.actor,
    operation: event.type,
    service: { name: 'toolledger' },
    requestUid: event.id,
    statusId: 1,
    status: 'Success',
    reasons: [],
    durationMs: null,
  };
}
