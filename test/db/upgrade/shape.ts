import type { Database } from "bun:sqlite"

/** What an engine tells of its tables, columns, keys, references and indexes, one line each, in one order. */
export function shapeOfSqlite(database: Database): string[] {
  const lines = (sql: string) => database.query(sql).values().flat() as string[]
  const tables = "pragma_table_list AS t WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'"
  const each = (pragma: string, line: string, where = "true") =>
    lines(`SELECT ${line} FROM (SELECT name AS owner FROM ${tables}), ${pragma}(owner) AS o WHERE ${where}`)
  const columns =
    "(SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(o.name) ORDER BY seqno))"
  return [
    ...lines(`SELECT format('%s %s strict %d without rowid %d', type, name, strict, wr) FROM ${tables}`),
    ...each(
      "pragma_table_xinfo",
      `format('%s.%s %s null %d default %s key %d', owner, name, type, NOT ("notnull" OR pk), dflt_value, pk)`,
    ),
    ...each("pragma_foreign_key_list", `format('%s.%s of %s %s', owner, "from", "table", on_delete)`),
    ...each("pragma_index_list", `format('%s unique %s', owner, ${columns})`, "origin = 'u'"),
    ...lines("SELECT coalesce(sql, name) FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL").map(
      (sql) => sql.replace(/\s+/g, " ").replaceAll('"', ""),
    ),
    ...lines("SELECT name || ' numbers its rows' FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'"),
  ].sort()
}

export async function shapeOfPostgres(url: string): Promise<string[]> {
  const sql = new Bun.SQL(url, { max: 1 })
  const rows = await sql`
    SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attcollation::regcollation,
      attnotnull, attidentity, attstorage, pg_get_expr(adbin, adrelid)) AS line
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
      AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
    UNION ALL SELECT concat_ws(' ', relname, relkind, reloptions) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'`
  await sql.close()
  return rows.map(({ line }: { line: string }) => line).sort()
}
