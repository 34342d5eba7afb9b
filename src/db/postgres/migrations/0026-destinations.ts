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
`
