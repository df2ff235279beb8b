import { callText } from './callText/projection.js';
import { mcpServers } from './mcpServers/projection.js';
import type { Projection } from './projection.js';
import { toolCallLog } from './toolCallLog/projection.js';
import { toolNameSnapshots } from './toolNameSnapshots/projection.js';
import { toolRegistry } from './toolRegistry/projection.js';

/** Every read model of the product; `callText` may be switched off. */
export function allProjections(options: { readonly callText: boolean }): readonly Projection[] {
  return [toolCallLog, ...(options.callText ? [callText] : []), toolRegistry, mcpServers, toolNameSnapshots];
}
