import { callText } from '../callText/projection.js';
import type { Projection } from '../projection.js';
import { removeDatabase } from '../../platform/sqlite/replaceDatabase.js';
import { findReadModels } from './readModelFile.js';

/**
 * Removes what must not lie about when the views are opened: rebuilds that were broken off, older versions of the
 * text index (it holds people's words), and the text index altogether when it is switched off.
 */
export function tidyAtStart(directory: string, projections: readonly Projection[]): void {
  const text = projections.find(({ name }) => name === callText.name);
  for (const { file, name, version, temporary } of findReadModels(directory)) {
    if (temporary || (name === callText.name && (text === undefined || version < text.version))) removeDatabase(file);
  }
}

/** Removes older versions of a view that has caught up. */
export function removeOlderVersions(directory: string, projection: Pick<Projection, 'name' | 'version'>): void {
  for (const { file, name, version } of findReadModels(directory)) {
    if (name === projection.name && version < projection.version) removeDatabase(file);
  }
}
