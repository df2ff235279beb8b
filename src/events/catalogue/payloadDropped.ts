import { payloadDropped as name } from '../stub.js';
import { eventType, type EventOf } from './eventType.js';

/** Never appended: what engines give back in the place of an event whose payload was dropped. */
export const payloadDropped = eventType({ name, data: ({ z }) => z.strictObject({}), personal: null });

export type PayloadDropped = EventOf<typeof payloadDropped>;
