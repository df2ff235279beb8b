import { hash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';

/** An image inside a URL, its bytes told from the rest. */
const dataUrl = /^data:([a-z0-9.+/-]{0,100})[^,]*,/i;

/**
 * The icons of a tool as they are pinned: never fetched, and an image inside a URL stands as the digest of that URL, so
 * that changing it changes the definition without its bytes being part of it.
 * @param given `icons` as the server wrote them
 * @returns null when there are none that could be shown
 */
export function pinnedIcons(given: unknown): readonly JsonObject[] | null {
  if (!Array.isArray(given)) return null;
  const icons = (given as readonly JsonValue[]).filter((icon) => isJsonObject(icon)).filter(({ src }) => typeof src === 'string');
  return icons.length === 0 ? null : icons.map((icon) => ({ ...icon, src: pinnedSource(icon['src']) }));
}

function pinnedSource(src: JsonValue | undefined): string {
  if (typeof src !== 'string') return '';
  const type = dataUrl.exec(src)?.[1];
  return type === undefined ? src : `data:${type};sha256,${hash('sha256', src)}`;
}
