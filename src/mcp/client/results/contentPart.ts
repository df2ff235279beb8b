import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import type { RemoteContent } from '../../../tools/remoteTools.js';

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a part of each kind has the form that the protocol gives it. */
const forms: ReadonlyMap<JsonValue | undefined, (part: JsonObject) => boolean> = new Map([
  ['text', ({ text }) => typeof text === 'string'],
  ['image', ({ data, mimeType }) => isBase64(data) && typeof mimeType === 'string'],
  ['audio', ({ data, mimeType }) => isBase64(data) && typeof mimeType === 'string'],
  ['resource_link', ({ uri, name }) => typeof uri === 'string' && typeof name === 'string'],
  ['resource', ({ resource }) => isJsonObject(resource) && typeof resource['uri'] === 'string' && (typeof resource['text'] === 'string' || isBase64(resource['blob']))],
]);

/** One part of a result; a kind that is not known, or that has another form, is kept as it came and marked unsupported. */
export function contentPart(value: JsonValue): RemoteContent {
  return isJsonObject(value) && forms.get(value['type'])?.(value) === true ? value : { type: 'unsupported', value };
}

function isBase64(data: JsonValue | undefined): boolean {
  return typeof data === 'string' && base64.test(data);
}
