import type { BuiltInTool } from '../tool.js';
import { rollDice } from './rollDice.js';

/** Every tool that is part of the product. */
export const builtInTools: readonly BuiltInTool[] = [rollDice];
