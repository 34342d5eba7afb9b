import { belongsTo, integer, orNull, table, text } from "./table.ts"

/** Memory of readings that follow links. */
export const visitTables = {
  /** A page of a feed that follows links, as it was read last: it is asked for only if it has changed since. */
  visited_page: table({
    feed_id: belongsTo("feed"),
    page: text,
    /** Hash of the document made from it; empty without one. */
    hash: text,
    etag: orNull(text),
    last_modified: orNull(text),
    /** JSON: the addresses that it leads to. */
    links: text,
    read_at: integer,
    changed_at: integer,
  }).with({
    key: ["feed_id", "page"],
    indexes: { visited_page_by_change: { on: ["feed_id", "changed_at"] } },
  }),
}
