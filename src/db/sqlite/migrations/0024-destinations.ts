/**
 * Counters of each endpoint, hour by hour, so that the console adds up a month without reading the log. The
 * hours before this step are filled from the log.
 *
 * The log can be searched: a message names its form and the person, a delivery the result of its last attempt, and
 * an index holds what a search reads. Texts of before are those that SQL finds in a payload.
 *
 * An endpoint of kind `test` is a receiver within the program; what it took is kept for a day. `message_order`
 * numbers messages when somebody polls for them, so that none that was committed late is passed over.
 */
export const destinations = `
CREATE TABLE endpoint_hour (
  endpoint_id TEXT NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  hour_at INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed_attempts INTEGER NOT NULL,
  given_up INTEGER NOT NULL,
  last_delivered_at INTEGER,
  PRIMARY KEY (endpoint_id, hour_at)
) STRICT, WITHOUT ROWID;
INSERT INTO endpoint_hour
  SELECT endpoint_id, hour_at, sum(delivered), sum(failed_attempts), sum(given_up), max(last_delivered_at)
  FROM (
    SELECT delivery.endpoint_id, (at + coalesce(duration_ms, 0)) / 3600000 * 3600000 AS hour_at,
      0 AS delivered, 1 AS failed_attempts, 0 AS given_up, NULL AS last_delivered_at
    FROM attempt JOIN delivery ON delivery.number = attempt.delivery_number
    WHERE outcome NOT IN ('delivered', 'interrupted')
    UNION ALL
    SELECT endpoint_id, ended_at / 3600000 * 3600000, state = 'delivered', 0, state = 'failed',
      CASE state WHEN 'delivered' THEN ended_at END
    FROM delivery WHERE state IN ('delivered', 'failed') AND ended_at IS NOT NULL
  )
  WHERE endpoint_id IN (SELECT id FROM endpoint)
  GROUP BY endpoint_id, hour_at;

ALTER TABLE message ADD COLUMN form_id TEXT;
ALTER TABLE message ADD COLUMN person TEXT;
ALTER TABLE message ADD COLUMN search_text TEXT;
UPDATE message SET form_id = json_extract(CAST(payload AS TEXT), '$.data.form_id'),
  person = substr(json_extract(CAST(payload AS TEXT), '$.data.email'), 1, 120),
  search_text = lower(substr(json_extract(CAST(payload AS TEXT), '$.data.email'), 1, 120))
  WHERE payload IS NOT NULL;
CREATE INDEX message_by_workspace ON message (workspace_id, id, form_id, search_text);

ALTER TABLE delivery ADD COLUMN last_outcome TEXT;
ALTER TABLE delivery ADD COLUMN last_status INTEGER;
ALTER TABLE delivery ADD COLUMN last_duration_ms INTEGER;
UPDATE delivery SET (last_outcome, last_status, last_duration_ms) = (
  SELECT outcome, status, duration_ms FROM attempt WHERE delivery_number = delivery.number
  ORDER BY attempt.number DESC LIMIT 1);
ALTER TABLE attempt ADD COLUMN response_headers TEXT;

ALTER TABLE endpoint ADD COLUMN kind TEXT NOT NULL DEFAULT 'https';
ALTER TABLE endpoint ADD COLUMN test_answer TEXT;
CREATE UNIQUE INDEX endpoint_test ON endpoint (workspace_id) WHERE kind = 'test';

CREATE TABLE test_request (
  id TEXT PRIMARY KEY,
  endpoint_id TEXT NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  message_id TEXT NOT NULL REFERENCES message ON DELETE CASCADE,
  at INTEGER NOT NULL,
  headers TEXT NOT NULL,
  body_bytes INTEGER NOT NULL,
  signature TEXT NOT NULL,
  answer TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX test_request_by_endpoint ON test_request (endpoint_id, id);
CREATE INDEX test_request_by_message ON test_request (message_id);

CREATE TABLE message_order (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  message_id TEXT NOT NULL REFERENCES message ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX message_order_by_message ON message_order (message_id);
CREATE INDEX message_order_by_workspace ON message_order (workspace_id, position);
`
