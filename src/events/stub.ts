import { systemSubject, type RecordedEvent } from './envelope.js';

/** The type that a stub is given back with: its own type went with its payload. */
export const payloadDropped = 'PayloadDropped';

/** What an engine still knows of an event whose payload was dropped. */
export type Stub = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position' | 'recordedAt' | 'leaf'>;

/** A stub as every engine gives it back: an event that says nothing but that it was there. */
export function stubEvent({ id, stream, revision, position, recordedAt, leaf }: Stub): RecordedEvent {
  return {
    type: payloadDropped,
    version: 1,
    occurredAt: recordedAt,
    actor: systemSubject,
    door: 'system',
    onBehalfOf: null,
    correlation: null,
    causation: null,
    workspace: '',
    runner: '',
    data: '{}',
    boxes: '',
    id,
    stream,
    revision,
    position,
    recordedAt,
    leaf,
  };
}
