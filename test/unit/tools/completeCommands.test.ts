import { describe, expect, it } from '@jest/globals';
import { completeCommands } from '../../../src/tools/availability/completeCommands.js';
import { reasonTexts } from '../../../src/tools/availability/reasons.js';

const known = { workspace: 'g7', server: 'shop', tool: 'echo' };

describe('the commands in a sentence', () => {
  it.each([
    ['server_tool_switched_off', '`toolledger mcp tool on shop echo --workspace g7`'],
    ['definition_held', '`toolledger mcp accept shop --workspace g7`'],
    ['workspace_closed', '`toolledger workspace open g7`'],
    ['switched_off', '`toolledger tools on echo --workspace g7`'],
    ['not_in_audience', '`toolledger mcp list --workspace g7`'],
    ['server_needs_sign_in', '`toolledger mcp sign-in shop --workspace g7` or `toolledger mcp set-token shop --token-prompt --workspace g7`'],
  ] as const)('are written out with names and workspace: %s', (code, command) => {
    expect(completeCommands(reasonTexts[code], known)).toContain(command);
  });

  it('are written out in every reason', () => {
    for (const text of Object.values(reasonTexts)) {
      for (const [command] of completeCommands(text, known).matchAll(/`toolledger [^`]*`/g)) {
        // Keys are of no workspace.
        if (!command.startsWith('`toolledger keys ')) expect(command).toContain('g7');
      }
    }
  });

  it('name no workspace where it is the usual one', () => {
    expect(completeCommands('Try `toolledger mcp refresh`.', { ...known, workspace: 'local' })).toBe('Try `toolledger mcp refresh shop`.');
  });

  it('keep the options that are named with them', () => {
    expect(completeCommands('Try `toolledger mcp sign-in --client-id ID`, or `toolledger mcp sign-in --register`.', known)).toBe('Try `toolledger mcp sign-in shop --client-id ID --workspace g7`, or `toolledger mcp sign-in shop --register --workspace g7`.');
  });

  it('stay as they are in the words of others', () => {
    expect(completeCommands('It says: “try `toolledger mcp remove`”. Try `toolledger mcp list`.', known)).toBe('It says: “try `toolledger mcp remove`”. Try `toolledger mcp list --workspace g7`.');
    expect(completeCommands('It says: “try `toolledger mcp remove`', known)).toBe('It says: “try `toolledger mcp remove`');
  });

  it('stay as they are where their subject is not known', () => {
    expect(completeCommands('Try `toolledger mcp refresh`.', { ...known, server: null })).toBe('Try `toolledger mcp refresh`.');
    expect(completeCommands('Try `toolledger audit search`.', known)).toBe('Try `toolledger audit search`.');
  });
});
