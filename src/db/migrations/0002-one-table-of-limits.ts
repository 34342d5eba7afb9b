import type { Engine } from "../words.ts"

/**
 * `limit_count` counts for every limit. The counts of days and months stay, and so do the quotas of the month. Posts of
 * the day, limits that roll on and tries to sign in are counted anew.
 */
export function oneTableOfLimits(engine: Engine): string {
  return byEngine[engine] + gone
}

const byEngine: Record<Engine, string> = {
  sqlite: `
ALTER TABLE limit_count RENAME TO limit_count_before;
CREATE TABLE limit_count (period TEXT NOT NULL, subject TEXT NOT NULL, used INTEGER NOT NULL,
  until REAL NOT NULL DEFAULT 0, PRIMARY KEY (period, subject)) STRICT, WITHOUT ROWID;
INSERT INTO limit_count (period, subject, used) SELECT period, subject, used FROM limit_count_before;
DROP TABLE limit_count_before;`,
  postgres: `
DROP INDEX limit_count_by_period;
ALTER TABLE limit_count DROP CONSTRAINT limit_count_pkey;
ALTER TABLE limit_count ADD PRIMARY KEY (period, subject);
ALTER TABLE limit_count ADD COLUMN until double precision NOT NULL DEFAULT 0;`,
}

const gone = `
CREATE INDEX limit_count_rolling ON limit_count (period, until) WHERE period = '';
DROP TABLE rate_limit;
DROP TABLE form_visit;
DROP TABLE sign_in_try;
`
