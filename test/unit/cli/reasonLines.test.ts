import { describe, expect, it } from '@jest/globals';
import { reasonLines } from '../../../src/cli/format/reasonLines.js';

const down = { code: 'server_disabled', text: 'Enable it with `toolledger mcp enable shop`.' };

describe('the reasons of tools', () => {
  it('are told once each, with the tools they are about', () => {
    const tools = [
      { name: 'roll_dice', from: 'built-in', reasons: [{ code: 'switched_off', text: 'Off.' }] },
      { name: 'buy', from: 'shop', reasons: [down] },
      { name: 'sell', from: 'shop', reasons: [down, { code: 'switched_off', text: 'Off.' }] },
      { name: 'free', from: 'shop', reasons: [] },
    ];
    expect(reasonLines(tools)).toEqual([
      'roll_dice, sell of shop: switched_off: Off.',
      'buy of shop, sell of shop: server_disabled: Enable it with `toolledger mcp enable shop`.',
    ]);
  });
});
