/**
 * Deletes the failure of an endpoint together with the endpoint, also when its workspace is deleted. Such
 * rows were counted for ever before.
 */
export const failures = `
CREATE TABLE failure_of_endpoint (
  endpoint_id TEXT PRIMARY KEY REFERENCES endpoint ON DELETE CASCADE,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  told_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO failure_of_endpoint
  SELECT endpoint_id, first_at, last_at, outcome, status, told_at FROM endpoint_failure
  WHERE endpoint_id IN (SELECT id FROM endpoint);
DROP TABLE endpoint_failure;
ALTER TABLE failure_of_endpoint RENAME TO endpoint_failure;
`
