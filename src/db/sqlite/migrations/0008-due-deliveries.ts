/**
 * The delivery itself holds the due time, and one row per process (`lease`) the deliveries in flight. An
 * attempt thus takes two statements instead of four on other pages. Partial indexes contain only due
 * deliveries, however many are stored: a queue per endpoint, with first attempts (late = 0) in front.
 * Deliveries get an integer key, which is the fastest to look up. A number is never used twice, since an
 * attempt in flight may outlive its delivery. Attempts in flight during the migration are logged as
 * interrupted: their process is gone.
 */
export const dueDeliveries = `
CREATE TABLE numbered_delivery (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  message_id TEXT NOT NULL REFERENCES message ON DELETE CASCADE,
  endpoint_id TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts_made INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  due_at INTEGER,
  due_late INTEGER NOT NULL,
  resend_at INTEGER,
  resend_late INTEGER NOT NULL
) STRICT;
INSERT INTO numbered_delivery
  SELECT NULL, id, delivery.message_id, delivery.endpoint_id, state, attempts_made, created_at, ended_at,
    automatic.due_at, coalesce(automatic.late, 0), manual.due_at, coalesce(manual.late, 0)
  FROM delivery
  LEFT JOIN due_attempt automatic ON automatic.delivery_id = id AND automatic.kind = 'automatic'
  LEFT JOIN due_attempt manual ON manual.delivery_id = id AND manual.kind = 'manual'
  ORDER BY id;

CREATE TABLE numbered_attempt (
  delivery_number INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  duration_ms INTEGER,
  response_excerpt TEXT,
  PRIMARY KEY (delivery_number, number)
) STRICT, WITHOUT ROWID;
INSERT INTO numbered_attempt
  SELECT numbered_delivery.number, row_number() OVER (PARTITION BY made.delivery_id ORDER BY made.id), kind, at, outcome, status, duration_ms, response_excerpt
  FROM (
    SELECT delivery_id, id, kind, at, outcome, status, duration_ms, response_excerpt FROM attempt
    UNION ALL
    SELECT delivery_id, attempt_id, kind, leased_until - 13000, 'interrupted', NULL, NULL, NULL FROM due_attempt
    WHERE attempt_id IS NOT NULL
  ) made
  JOIN numbered_delivery ON numbered_delivery.id = made.delivery_id;

DROP TABLE attempt;
DROP TABLE due_attempt;
DROP TABLE delivery;
ALTER TABLE numbered_delivery RENAME TO delivery;
ALTER TABLE numbered_attempt RENAME TO attempt;
CREATE UNIQUE INDEX delivery_by_message ON delivery (message_id, endpoint_id);
CREATE INDEX delivery_by_endpoint ON delivery (endpoint_id, id);
CREATE INDEX delivery_undelivered ON delivery (endpoint_id, state, id) WHERE state IN ('failed', 'cancelled');
CREATE INDEX delivery_due ON delivery (due_late, endpoint_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX delivery_resend ON delivery (resend_late, endpoint_id, resend_at) WHERE resend_at IS NOT NULL;

CREATE TABLE lease (
  holder TEXT PRIMARY KEY,
  until INTEGER NOT NULL,
  held TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
