/**
 * What happened at each endpoint, hour by hour, so that the console adds up a month without reading the log. The
 * hours before this step are filled from the log.
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
`
