/**
 * What OCSF 1.6.0 says of an API Activity (class 6003) and of the objects in it, as far as a record of ours uses them:
 * the attributes there are, those that must be there, enumerations, and of which at least one must be there.
 * From the schema's `events/application/api_activity.json`, `events/base_event.json` and `objects/*.json`.
 */
interface ObjectRule {
  readonly attributes: { readonly [name: string]: 'string' | 'integer' | 'timestamp' | 'json' | readonly number[] | ObjectRule };
  readonly required?: readonly string[];
  readonly atLeastOne?: readonly string[];
}

const product: ObjectRule = { attributes: { name: 'string', vendor_name: 'string', version: 'string', uid: 'string' }, required: ['name', 'vendor_name'] };

const metadata: ObjectRule = {
  attributes: {
    version: 'string',
    product,
    uid: 'string',
    event_code: 'string',
    log_name: 'string',
    tenant_uid: 'string',
    original_time: 'string',
    logged_time: 'timestamp',
    correlation_uid: 'string',
    sequence: 'integer',
  },
  required: ['version', 'product'],
};

const user: ObjectRule = { attributes: { uid: 'string', name: 'string', type: 'string', type_id: [0, 1, 2, 3, 4, 99] }, atLeastOne: ['account', 'name', 'uid'] };

const actor: ObjectRule = {
  attributes: { user, app_name: 'string', app_uid: 'string' },
  atLeastOne: ['process', 'user', 'invoked_by', 'session', 'app_name', 'app_uid', 'iam_role'],
};

const api: ObjectRule = {
  attributes: {
    operation: 'string',
    service: { attributes: { name: 'string', uid: 'string', version: 'string' }, atLeastOne: ['name', 'uid'] },
    request: { attributes: { uid: 'string', data: 'json' }, required: ['uid'] },
    response: { attributes: { code: 'integer', error: 'string', error_message: 'string', message: 'string', data: 'json' } },
    version: 'string',
  },
  required: ['operation'],
};

const endpoint: ObjectRule = {
  attributes: { ip: 'string', uid: 'string', name: 'string', hostname: 'string', svc_name: 'string' },
  atLeastOne: ['ip', 'uid', 'name', 'hostname', 'svc_name', 'instance_uid', 'interface_uid', 'interface_name', 'domain'],
};

const apiActivity: ObjectRule = {
  attributes: {
    activity_id: [0, 1, 2, 3, 4, 99],
    activity_name: 'string',
    category_uid: [6],
    category_name: 'string',
    class_uid: [6003],
    class_name: 'string',
    type_uid: [600300, 600301, 600302, 600303, 600304, 600399],
    type_name: 'string',
    severity_id: [0, 1, 2, 3, 4, 5, 6, 99],
    severity: 'string',
    status_id: [0, 1, 2, 99],
    status: 'string',
    status_code: 'string',
    status_detail: 'string',
    time: 'timestamp',
    duration: 'integer',
    message: 'string',
    metadata,
    actor,
    api,
    src_endpoint: endpoint,
    dst_endpoint: endpoint,
    unmapped: 'json',
  },
  required: ['activity_id', 'category_uid', 'class_uid', 'type_uid', 'severity_id', 'time', 'metadata', 'actor', 'api', 'src_endpoint'],
};

/** What is wrong with a record, each with its place; nothing when it is as the schema says. */
export function ocsfProblems(record: unknown): readonly string[] {
  return problemsIn(record, apiActivity, 'event');
}

function problemsIn(value: unknown, rule: ObjectRule, place: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${place} is no object`];
  const missing = (rule.required ?? []).filter((name) => !(name in value)).map((name) => `${place}.${name} is missing`);
  const one = rule.atLeastOne === undefined || rule.atLeastOne.some((name) => name in value) ? [] : [`${place} has none of ${rule.atLeastOne.join(', ')}`];
  return [...missing, ...one, ...Object.entries(value).flatMap(([name, field]) => fieldProblems(field, rule.attributes[name], `${place}.${name}`))];
}

function fieldProblems(field: unknown, rule: ObjectRule['attributes'][string] | undefined, place: string): readonly string[] {
  if (rule === undefined) return [`${place} is not in the schema`];
  if (rule === 'json') return [];
  if (rule === 'string') return typeof field === 'string' && field !== '' ? [] : [`${place} is no text`];
  if (rule === 'integer' || rule === 'timestamp') return Number.isSafeInteger(field) ? [] : [`${place} is no whole number`];
  if ('attributes' in rule) return problemsIn(field, rule, place);
  return rule.includes(field as number) ? [] : [`${place} is ${JSON.stringify(field)}, none of ${rule.join(', ')}`];
}
