import type { EventOf } from '../eventType.js';
import { connectionTypes } from './connection.js';
import { offeredToolsTypes } from './offeredTools.js';
import { registrationTypes } from './registration.js';

export const mcpServersTypes = [...registrationTypes, ...connectionTypes, ...offeredToolsTypes] as const;

/** Stream `mcpServers-<workspace>`: one for all servers, because name and number are decided over all of them. */
export type McpServersEvent = EventOf<(typeof mcpServersTypes)[number]>;
