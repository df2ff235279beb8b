import type { DatabaseFormat } from '../../platform/sqlite/openDatabase.js';

/**
 * The file of the embedded engine. `position`, `stream`, `type`, `recorded_at` and `data` are stable: auditors read
 * them with their own tools.
 *
 * A row is a whole event, or a stub that keeps an event's place and leaf after its payload was dropped.
 * The database itself keeps events as they are, for every connection: no update, no delete, and an insert only at the
 * end. The insert trigger also looks for the id and the slot, because INSERT OR REPLACE deletes rows past the delete
 * trigger on connections without `recursive_triggers`.
 */
const version1 = `
CREATE TABLE events (
  position INTEGER PRIMARY KEY CHECK (position > 0),
  event_id BLOB NOT NULL UNIQUE CHECK (length(event_id) = 16),
  stream TEXT NOT NULL,
  revision INTEGER NOT NULL CHECK (revision >= 0),
  type TEXT,
  version INTEGER,
  occurred_at INTEGER,
  recorded_at INTEGER NOT NULL,
  actor TEXT,
  door TEXT,
  on_behalf_of TEXT,
  correlation TEXT,
  causation TEXT,
  workspace TEXT,
  runner TEXT,
  data TEXT,
  boxes TEXT,
  content_hash BLOB,
  leaf BLOB NOT NULL CHECK (length(leaf) = 32),
  UNIQUE (stream, revision),
  CONSTRAINT whole_or_stub CHECK (
    CASE WHEN content_hash IS NULL
      THEN type IS NOT NULL AND version IS NOT NULL AND occurred_at IS NOT NULL AND actor IS NOT NULL
        AND door IS NOT NULL AND workspace IS NOT NULL AND runner IS NOT NULL AND data IS NOT NULL AND boxes IS NOT NULL
      ELSE length(content_hash) = 32 AND coalesce(type, version, occurred_at, actor, door, on_behalf_of, correlation,
        causation, workspace, runner, data, boxes) IS NULL
    END
  )
) STRICT;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never changed');
END;

CREATE TRIGGER events_never_go BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never deleted');
END;

CREATE TRIGGER events_only_follow BEFORE INSERT ON events
WHEN NEW.position IS NOT (SELECT ifnull(max(position), 0) + 1 FROM events)
  OR EXISTS (SELECT 1 FROM events WHERE event_id = NEW.event_id)
  OR EXISTS (SELECT 1 FROM events WHERE stream = NEW.stream AND revision = NEW.revision)
BEGIN
  SELECT RAISE(ABORT, 'events are only added at the end, each id and each revision once');
END;
`;

/**
 * An event may become a stub of itself, and only while `dropping` holds a row, which is never there when a transaction
 * ends: not by a slip of somebody's hand.
 */
const version2 = `
CREATE TABLE dropping (id INTEGER PRIMARY KEY CHECK (id = 1)) STRICT;

DROP TRIGGER events_never_change;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
WHEN OLD.content_hash IS NOT NULL OR NEW.content_hash IS NULL OR NOT EXISTS (SELECT 1 FROM dropping)
  OR NEW.position IS NOT OLD.position OR NEW.event_id IS NOT OLD.event_id OR NEW.stream IS NOT OLD.stream
  OR NEW.revision IS NOT OLD.revision OR NEW.recorded_at IS NOT OLD.recorded_at OR NEW.leaf IS NOT OLD.leaf
BEGIN
  SELECT RAISE(ABORT, 'events are never changed');
END;
`;

/** The format of `ledger.db`; the application id reads `TLgr` in the file's header. */
export const ledgerFormat: DatabaseFormat = { applicationId: 0x544c6772, migrations: [version1, version2] };
