import { iso } from '../../../words.js';
import type { ExportEntry, ExportFormat } from '../../exportEntry.js';
import { jsonLine } from '../jsonLines.js';
import type { Activity } from './activity.js';
import { callActivity } from './callActivity.js';
import { administrativeActivity } from './administrativeActivity.js';

/** The OCSF version this mapping keeps to. */
const schemaVersion = '1.6.0';

/**
 * OCSF API Activity (class 6003), one object a line: one for each refusal, ending and settlement of a call, and one for
 * each administrative event. An admission alone is not an activity that has happened, so it gives no record.
 */
export const ocsf: ExportFormat = {
  head: '',
  encode(entry) {
    const activity = entry.call === null ? administrativeActivity(entry) : callActivity(entry.call, entry.event.actor);
    return activity === null ? null : jsonLine(record(entry, activity));
  },
};

function record({ event, known, personal, call }: ExportEntry, activity: Activity): object {
  const { activityId, reasons, service } = activity;
  return {
    activity_id: activityId,
    activity_name: activity.activityName,
    category_uid: 6,
    category_name: 'Application Activity',
    class_uid: 6003,
    class_name: 'API Activity',
    type_uid: 6003 * 100 + activityId,
    type_name: `API Activity: ${activityId === 99 ? 'Other' : activity.activityName}`,
    severity_id: 1,
    severity: 'Informational',
    time: event.occurredAt,
    ...(activity.durationMs !== null && { duration: activity.durationMs }),
    message: `${activity.operation}: ${activity.status}`,
    status_id: activity.statusId,
    status: activity.status,
    ...(reasons[0] !== undefined && { status_code: reasons[0], status_detail: reasons.join(' ') }),
    metadata: {
      version: schemaVersion,
      product: { name: 'toolledger', vendor_name: 'toolledger' },
      uid: event.id,
      event_code: event.type,
      log_name: event.stream,
      tenant_uid: event.workspace,
      original_time: iso(event.occurredAt),
      logged_time: event.recordedAt,
      ...(event.correlation !== null && { correlation_uid: event.correlation }),
    },
    actor: {
      user: activity.actor === 'system' ? { name: 'system', type_id: 3, type: 'System' } : { uid: activity.actor, type_id: 1, type: 'User' },
      app_name: 'toolledger',
      app_uid: event.runner,
    },
    api: {
      operation: activity.operation,
      service,
      request: { uid: activity.requestUid },
      ...(reasons[0] !== undefined && { response: { error: reasons[0] } }),
    },
    src_endpoint: { svc_name: event.door },
    ...(service.uid !== undefined && { dst_endpoint: { uid: service.uid, svc_name: service.name } }),
    unmapped: {
      position: event.position,
      revision: event.revision,
      on_behalf_of: call?.facts.onBehalfOf ?? event.onBehalfOf,
      channel: call?.facts.channel ?? null,
      data: known.data,
      personal,
      leaf: Buffer.from(event.leaf).toString('hex'),
    },
  };
}
