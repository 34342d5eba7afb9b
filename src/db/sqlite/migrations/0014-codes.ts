/**
 * Particulars of left-out pages as code and params; requested indexing as data. A sentence stored by an
 * earlier version stays in `detail` until the next reading. Requests that are not done yet are carried over.
 */
export const codes = `
ALTER TABLE left_out_page ADD COLUMN detail_code TEXT;
ALTER TABLE left_out_page ADD COLUMN detail_params TEXT;
ALTER TABLE unfinished_page ADD COLUMN detail_code TEXT;
ALTER TABLE unfinished_page ADD COLUMN detail_params TEXT;

CREATE TABLE asked_indexing_as_data (
  project_id TEXT NOT NULL REFERENCES project ON DELETE CASCADE,
  request TEXT NOT NULL,
  PRIMARY KEY (project_id, request)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO asked_indexing_as_data
  SELECT project_id, CASE command ->> 0
    WHEN 'feed' THEN json_object('kind', 'remove_feed', 'feed', command ->> 3)
    ELSE json_object('kind', 'read', 'force', json(iif(command ->> 2 = '--force', 'true', 'false')))
  END
  FROM asked_indexing;

DROP TABLE asked_indexing;
ALTER TABLE asked_indexing_as_data RENAME TO asked_indexing;
`
