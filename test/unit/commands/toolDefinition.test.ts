import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { maxDefinitionBytes, toolDefinitionDecider, toolDefinitionStream } from '../../../src/commands/toolDefinition.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(toolDefinitionDecider);
const definition = { name: 'echo', description: 'Says it again', inputSchema: { type: 'object', properties: {} } };
const canonical = '{"description":"Says it again","inputSchema":{"properties":{},"type":"object"},"name":"echo"}';
const hashOf = (text: string) => hash('sha256', text, 'hex');
const recorded = { type: 'ToolDefinitionRecorded', data: { hash: hashOf(canonical), definition } } as const;

/** A definition whose canonical text has exactly this many bytes. */
function definitionOf(bytes: number) {
  const empty = '{"description":"","inputSchema":{},"name":"echo"}';
  const description = 'x'.repeat(bytes - empty.length);
  return { definition: { name: 'echo', description, inputSchema: {} }, hash: hashOf(empty.replace('""', `"${description}"`)) };
}

describe('a tool definition', () => {
  it('has a stream of its own', () => expect(toolDefinitionStream('4f')).toBe('toolDefinition-4f'));

  it('is recorded under the hash of its canonical text', () =>
    given().when({ type: 'Record', hash: hashOf(canonical), definition }).thenEvents(recorded));

  it('is recorded once', () => given(recorded).when({ type: 'Record', hash: hashOf(canonical), definition }).thenNothing());

  it('is not recorded under the hash of another', () =>
    given().when({ type: 'Record', hash: hashOf('{}'), definition }).thenRefused({ code: 'hash_mismatch', actual: hashOf(canonical) }));

  it('may be as large as the limit', () => {
    const largest = definitionOf(maxDefinitionBytes);
    given().when({ type: 'Record', ...largest }).thenEvents({ type: 'ToolDefinitionRecorded', data: largest });
  });

  it('is not recorded when it is larger', () =>
    given()
      .when({ type: 'Record', ...definitionOf(maxDefinitionBytes + 1) })
      .thenRefused({ code: 'definition_too_large', bytes: maxDefinitionBytes + 1, limit: maxDefinitionBytes }));

  it('starts as not recorded', () => expect(given().state).toEqual({ recorded: false }));
});
