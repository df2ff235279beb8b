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

/** The format of `ledger.db`; the application id reads `TLgr` in the file's header. */
export const ledgerFormat: DatabaseFormat = { applicationId: 0x544c6772, migrations: [version1] };
