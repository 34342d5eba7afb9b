import type { Engine } from "../words.ts"

/** A feed may follow the links of a site, and remembers of each page what it was and where it led. */
export function crawledSites(engine: Engine): string {
  const [text, integer, end] =
    engine === "sqlite" ? ["TEXT", "INTEGER", " STRICT, WITHOUT ROWID"] : ['text COLLATE "C"', "bigint", ""]
  return `
ALTER TABLE feed ADD COLUMN crawl ${text};
CREATE TABLE visited_page (feed_id ${text} NOT NULL REFERENCES feed ON DELETE CASCADE,
  page ${text} NOT NULL,
  hash ${text} NOT NULL,
  etag ${text},
  last_modified ${text},
  links ${text} NOT NULL,
  read_at ${integer} NOT NULL,
  changed_at ${integer} NOT NULL,
  PRIMARY KEY (feed_id, page))${end};
CREATE INDEX visited_page_by_change ON visited_page (feed_id, changed_at);
`
}
