import { v7 } from 'uuid';

/** Makes identifiers. Passed in, so that tests get the ids they expect. */
export type NewId = () => string;

/** A UUIDv7 (RFC 9562 §5.7) in its 36-character form: later ids sort after earlier ones of the same process. */
export const newId: NewId = () => v7();
