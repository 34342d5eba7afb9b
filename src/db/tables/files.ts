import { belongsTo, bytes, integer, orNull, table, text, textOf } from "./table.ts"

export const fileTables = {
  /**
   * A file that came from outside. The row is written before the first byte, and outlives the workspace until the
   * last one is removed. It is kept as long as a row of another table refers to it (`belongsTo("stored_file")`, with
   * an index that begins with that column).
   */
  stored_file: table({
    id: text,
    workspace_id: text,
    /** While the file is being stored: the size that is held free for it. */
    bytes: integer,
    /** As its content was judged: `application/pdf`. */
    media_type: text,
    /** SHA-256 of its content, base64url; empty until the file is there. */
    hash: text,
    place: textOf<"database" | "s3">(),
    /** Size of each of its parts but the last. */
    part_bytes: integer,
    created_at: integer,
    /** When nothing referred to it any more: its parts are being removed. */
    removed_at: orNull(integer),
  }).with({ hasRowId: true }),

  /** One piece of a file, where the database is its place. */
  stored_file_part: table({
    file_id: belongsTo("stored_file"),
    /** From 0 on. */
    number: integer,
    bytes: bytes,
  }).with({
    key: ["file_id", "number"],
    hasRowId: true,
    postgres: "ALTER COLUMN bytes SET STORAGE EXTERNAL",
  }),

  /** Bytes that the files of a workspace take, files still being received included. */
  file_space: table({ workspace_id: belongsTo("workspace"), bytes: integer }),

  /** A file that an owner has uploaded to a feed. */
  upload: table({
    /** Its address has it, where Guichet serves the file: it stays when another file takes the name. */
    id: text,
    feed_id: belongsTo("feed"),
    file_id: belongsTo("stored_file"),
    /** With the folders before it: `guide/install.md`. */
    name: text,
  }).with({
    unique: [["feed_id", "name"]],
    indexes: { upload_by_file: { on: ["file_id"] } },
  }),
}
