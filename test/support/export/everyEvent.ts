import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../../src/platform/json.js';
import { TestLedger } from '../projections/testLedger.js';

const samples = new URL('../../unit/catalogue/samples/', import.meta.url);
const callStep = /^ToolCall(?!RefusalsCounted)/;

/** A ledger with every type of event in every version ever written; each call step ends a call of its own. */
export function everyEvent(): TestLedger {
  const ledger = new TestLedger();
  const admitted = sample('ToolCallAdmitted@1.json');
  readdirSync(samples).forEach((file, index) => {
    const [type = '', version] = file.replace('.json', '').split('@');
    const { data, personal } = sample(file);
    const stream = callStep.test(type) ? `toolCall-c${index}` : `other-${index}`;
    const begins = type === 'ToolCallAdmitted' || type === 'ToolCallRefused';
    if (callStep.test(type) && !begins) ledger.addRaw('ToolCallAdmitted', JSON.stringify(admitted.data), { stream });
    ledger.addRaw(type, JSON.stringify(data), { stream, version: Number(version), ...(personal !== undefined && { personal }) });
  });
  return ledger;
}

function sample(file: string): { readonly data: JsonObject; readonly personal?: JsonObject } {
  return JSON.parse(readFileSync(new URL(file, samples), 'utf8')) as { data: JsonObject };
}
