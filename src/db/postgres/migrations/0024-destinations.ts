import { text } from "./baseline/text.ts"

/** As in the step of SQLite. */
export const destinations = `
CREATE TABLE endpoint_hour (
  endpoint_id ${text} NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  hour_at bigint NOT NULL,
  delivered bigint NOT NULL,
  failed_attempts bigint NOT NULL,
  given_up bigint NOT NULL,
  last_delivered_at bigint,
  PRIMARY KEY (endpoint_id, hour_at)
) WITH (fillfactor = 50);
INSERT INTO endpoint_hour
  SELECT endpoint_id, hour_at, sum(delivered), sum(failed_attempts), sum(given_up), max(last_delivered_at)
  FROM (
    SELECT delivery.endpoint_id, (at + coalesce(duration_ms, 0)) / 3600000 * 3600000 AS hour_at,
      0 AS delivered, 1 AS failed_attempts, 0 AS given_up, NULL::bigint AS last_delivered_at
    FROM attempt JOIN delivery ON delivery.number = attempt.delivery_number
    WHERE outcome NOT IN ('delivered', 'interrupted')
    UNION ALL
    SELECT endpoint_id, ended_at / 3600000 * 3600000, (state = 'delivered')::int, 0, (state = 'failed')::int,
      CASE state WHEN 'delivered' THEN ended_at END
    FROM delivery WHERE state IN ('delivered', 'failed') AND ended_at IS NOT NULL
  ) happened
  WHERE endpoint_id IN (SELECT id FROM endpoint)
  GROUP BY endpoint_id, hour_at;

ALTER TABLE message ADD COLUMN form_id ${text};
ALTER TABLE message ADD COLUMN person ${text};
ALTER TABLE message ADD COLUMN search_text ${text};
UPDATE message SET form_id = convert_from(payload, 'UTF8')::json #>> '{data,form_id}',
  person = left(convert_from(payload, 'UTF8')::json #>> '{data,email}', 120),
  search_text = lower(left(convert_from(payload, 'UTF8')::json #>> '{data,email}', 120))
  WHERE payload IS NOT NULL;
CREATE INDEX message_by_workspace ON message (workspace_id, id, form_id, search_text);

ALTER TABLE delivery ADD COLUMN last_outcome ${text};
ALTER TABLE delivery ADD COLUMN last_status bigint;
ALTER TABLE delivery ADD COLUMN last_duration_ms bigint;
UPDATE delivery SET (last_outcome, last_status, last_duration_ms) = (
  SELECT outcome, status, duration_ms FROM attempt WHERE delivery_number = delivery.number
  ORDER BY attempt.number DESC LIMIT 1);
ALTER TABLE attempt ADD COLUMN response_headers ${text};

ALTER TABLE endpoint ADD COLUMN kind ${text} NOT NULL DEFAULT 'https';
ALTER TABLE endpoint ADD COLUMN test_answer ${text};
CREATE UNIQUE INDEX endpoint_test ON endpoint (workspace_id) WHERE kind = 'test';

CREATE TABLE test_request (
  id ${text} PRIMARY KEY,
  endpoint_id ${text} NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  message_id ${text} NOT NULL REFERENCES message ON DELETE CASCADE,
  at bigint NOT NULL,
  headers ${text} NOT NULL,
  body_bytes bigint NOT NULL,
  signature ${text} NOT NULL,
  answer ${text} NOT NULL
);
CREATE INDEX test_request_by_endpoint ON test_request (endpoint_id, id);
CREATE INDEX test_request_by_message ON test_request (message_id);

CREATE TABLE message_order (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id ${text} NOT NULL,
  message_id ${text} NOT NULL REFERENCES message ON DELETE CASCADE
);
CREATE UNIQUE INDEX message_order_by_message ON message_order (message_id);
CREATE INDEX message_order_by_workspace ON message_order (workspace_id, position);
`
