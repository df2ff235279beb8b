import { Fault } from '../../platform/fault.js';
import type { JsonObject } from '../../platform/json.js';
import type { RecordedEvent } from '../envelope.js';
import { builtInToolsTypes } from './builtInTools.js';
import type { EventOf, EventType, Upcaster } from './eventType.js';
import { ledgerOperationsTypes } from './ledgerOperations.js';
import { ledgerPrivacyTypes } from './ledgerPrivacy.js';
import { ledgerSealTypes } from './ledgerSeal.js';
import { mcpServersTypes } from './mcpServers/mcpServers.js';
import { mcpSignInTypes } from './mcpSignIn.js';
import { payloadDropped } from './payloadDropped.js';
import { toolCallRefusalsCounted, toolCallTypes } from './toolCall.js';
import { toolDefinitionTypes } from './toolDefinition.js';
import { toolSettingsTypes } from './toolSettings.js';
import { turnTypes } from './turn.js';
import { workspaceTypes } from './workspace.js';

/** Every event type the product knows, in its current version. */
export const allEventTypes = [
  ...toolCallTypes,
  toolCallRefusalsCounted,
  ...workspaceTypes,
  ...toolSettingsTypes,
  ...mcpServersTypes,
  ...mcpSignInTypes,
  ...toolDefinitionTypes,
  ...builtInToolsTypes,
  ...turnTypes,
  ...ledgerOperationsTypes,
  ...ledgerPrivacyTypes,
  ...ledgerSealTypes,
  payloadDropped,
] as const;

/** Every domain event the product knows. */
export type AnyEvent = EventOf<(typeof allEventTypes)[number]>;

/** Names, versions and upcasters of a set of event types; checked when it is made. */
export interface Catalogue {
  /** The type of this name, or undefined when the program does not know it. */
  typeNamed(name: string): EventType | undefined;
  /**
   * Clear data of a stored event, lifted to the current version.
   * @throws Fault `unknown_event_version` when the type is unknown or newer than this program: the reader must stop
   * @throws Fault `unreadable_event` when the data is not a JSON object
   */
  decode(event: Pick<RecordedEvent, 'type' | 'version' | 'data' | 'position'>): AnyEvent;
  /** Content of an opened box of such an event, lifted to the current version. */
  decodePersonal(event: Pick<RecordedEvent, 'type' | 'version'>, content: JsonObject): JsonObject;
}

/**
 * Builds a catalogue and checks that it is complete: no name twice, and an upcaster for every step up to the
 * current version. No schema is made for that.
 * @throws Fault `incomplete_catalogue`
 */
export function makeCatalogue(types: readonly EventType[]): Catalogue {
  const byName = new Map<string, EventType>();
  for (const type of types) {
    const problem = byName.has(type.name) ? 'is declared twice' : problemOf(type);
    if (problem !== null) throw new Fault('failed', 'incomplete_catalogue', `Event type ${type.name} ${problem}.`);
    byName.set(type.name, type);
  }

  function known(event: { type: string; version: number; position?: string }): EventType {
    const type = byName.get(event.type);
    if (type !== undefined && Number.isInteger(event.version) && event.version >= 1 && event.version <= type.version) return type;
    const where = event.position === undefined ? '' : ` at position ${event.position}`;
    throw new Fault(
      'damaged',
      'unknown_event_version',
      `The event${where} is ${event.type} version ${event.version}; this program knows ` +
        `${type === undefined ? 'no such type' : `versions 1 to ${type.version}`}. Run the newer version of toolledger that wrote it.`,
      { type: event.type, version: event.version, known: type?.version ?? null, position: event.position ?? null },
    );
  }

  return {
    typeNamed: (name) => byName.get(name),
    decode(event) {
      const type = known(event);
      const data = lift(type.upcasters, event.version, parsed(event));
      return { type: event.type, data } as unknown as AnyEvent;
    },
    decodePersonal(event, content) {
      return lift(known(event).personalUpcasters, event.version, content);
    },
  };
}

/** The catalogue of this program. */
export const catalogue: Catalogue = makeCatalogue(allEventTypes);

function problemOf(type: EventType): string | null {
  if (!Number.isInteger(type.version) || type.version < 1) return `has version ${type.version}; versions are whole numbers from 1`;
  if (type.upcasters.length !== type.version - 1) {
    return `is at version ${type.version} and has ${type.upcasters.length} upcasters; it needs ${type.version - 1}`;
  }
  const personal = type.personalUpcasters.length;
  if (personal !== type.version - 1 && !(personal === 0 && type.personal === null)) {
    return `is at version ${type.version} and has ${personal} upcasters for personal values; it needs ${type.version - 1}`;
  }
  return null;
}

function parsed(event: { readonly type: string; readonly data: string; readonly position: string }): JsonObject {
  const data = objectIn(event.data);
  if (data !== null) return data;
  const { type, position } = event;
  throw new Fault(
    'damaged',
    'unreadable_event',
    `The data of the ${type} event at position ${position} is not a JSON object. The ledger is damaged; run \`toolledger ledger verify\`.`,
    { type, position },
  );
}

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject | null) : null;
  } catch {
    return null;
  }
}

function lift(upcasters: readonly Upcaster[], version: number, content: JsonObject): JsonObject {
  let lifted = content;
  for (let from = version; from <= upcasters.length; from += 1) {
    const upcaster = upcasters[from - 1];
    if (upcaster !== undefined) lifted = upcaster(lifted);
  }
  return lifted;
}
