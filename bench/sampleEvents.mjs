import { newId } from '../dist/platform/ids.js';

const runner = newId();
const actor = newId();
const box = 'A'.repeat(200);

/** An event of about 600 bytes with its envelope, as an append that no view minds. */
export function sampleEvent(workspace = 'local') {
  const data = {
    tool: 'web_search',
    route: null,
    reasons: ['tool_off'],
    parameters: { limit: 10 },
    redaction: [],
    argumentsDigest: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
    argumentsBytes: 57,
    channel: '200000000000000000',
    basis: { workspace: 0, settings: 12, servers: 34 },
    conflictsWith: null,
  };
  return {
    id: newId(),
    type: 'ToolCallRefused',
    version: 1,
    occurredAt: Date.now(),
    actor,
    door: 'discord',
    onBehalfOf: null,
    correlation: null,
    causation: null,
    workspace,
    runner,
    data: JSON.stringify(data),
    boxes: JSON.stringify([[actor, box]]),
  };
}

/** The name of a call's stream that nobody has used. */
export function sampleStream() {
  return `toolCall-${newId().replaceAll('-', '')}`;
}
