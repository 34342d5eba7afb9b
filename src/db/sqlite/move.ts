import { Database } from "bun:sqlite"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Refusal } from "../../base/errors.ts"
import { versions } from "../migrations/versions.ts"
import {
  lastQuery,
  type Page,
  pageQuery,
  portable,
  quoted,
  type Row,
  type Source,
  type Table,
  type Target,
  type Value,
} from "../move/side.ts"
import { databasePath } from "./connection.ts"
import { claimDataDir } from "./data-dir.ts"
import { putInPlace } from "./durable-file.ts"
import { isBusy } from "./explain-error.ts"
import { fileVersion, findDamage } from "./integrity.ts"
import { takeLock } from "./lock.ts"
import { migrate } from "./migrate.ts"
import { refuseServices } from "./version-lock.ts"

/**
 * Locks the database of a data folder against writing, and against the start of a service. Throws Refusal
 * `conflict` while a service or a command works with it.
 */
export function openSource(dataDir: string): Source {
  const path = databasePath(dataDir)
  const lock = refuseServices(dataDir, versions.sqlite.current)
  if (!lock)
    throw new Refusal("conflict", "", {
      reason: `a service works with ${path}: stop it first (systemctl stop guichet)`,
    })
  const database = new Database(path, { strict: true, readwrite: true })
  try {
    database.run("PRAGMA busy_timeout = 5000")
    database.run("BEGIN IMMEDIATE")
  } catch (error) {
    database.close()
    lock[Symbol.dispose]()
    if (!isBusy(error)) throw error
    throw new Refusal("conflict", "", { reason: `a command writes to ${path}: wait until it has ended` })
  }
  return {
    ...reading(() => database),
    async [Symbol.asyncDispose]() {
      database.close()
      lock[Symbol.dispose]()
    },
  }
}

/** The copy grows in a folder of its own within the data folder, and becomes `guichet.db` at the end. */
export function openTarget(dataDir: string): Target {
  claimDataDir(dataDir)
  const path = databasePath(dataDir)
  const lock = takeLock(dataDir, "move")
  if (!lock) throw new Refusal("conflict", "", { reason: `another move to ${dataDir} is under way` })
  const folder = join(dataDir, "moving")
  const published = existsSync(path) ? openPublished(path) : undefined
  let copy: Database | undefined

  function opened(): Database {
    if (copy) return copy
    migrate(folder)
    copy = new Database(databasePath(folder), { strict: true, readwrite: true })
    // A kill loses nothing of what is committed, and a power cut the end at most.
    for (const setting of ["synchronous = NORMAL", "foreign_keys = ON"]) copy.run(`PRAGMA ${setting}`)
    return copy
  }

  function insertInto(table: Table, rows: readonly Row[], before: string | undefined): void {
    const database = opened()
    const columns = table.columns.map(quoted).join(", ")
    const places = table.columns.map(() => "?").join(", ")
    const insert = database.query(`INSERT INTO ${quoted(table.name)} (${columns}) VALUES (${places})`)
    database
      .transaction(() => {
        if (before) database.run(before)
        for (const row of rows) insert.run(...(portable(row) as Value[]))
      })
      .immediate()
  }

  return {
    published,
    ...reading(opened),
    async clear() {
      copy?.close()
      copy = undefined
      rmSync(folder, { recursive: true, force: true })
    },
    async insert(table, rows) {
      insertInto(table, rows, undefined)
    },
    async replace(table, rows) {
      insertInto(table, rows, `DELETE FROM ${quoted(table.name)}`)
    },
    async publish() {
      const database = opened()
      database.run("PRAGMA wal_checkpoint(TRUNCATE)")
      database.run("PRAGMA journal_mode = DELETE")
      database.close()
      copy = undefined
      const [damage] = findDamage(databasePath(folder))
      if (damage !== undefined)
        throw new Refusal("unavailable", "", {
          reason: `the copy is damaged (--restart makes another): ${damage}`,
        })
      putInPlace(databasePath(folder), path)
      rmSync(folder, { recursive: true, force: true })
    },
    async [Symbol.asyncDispose]() {
      copy?.close()
      await published?.[Symbol.asyncDispose]()
      lock[Symbol.dispose]()
    },
  }
}

function openPublished(path: string): Source {
  if (fileVersion(path) !== versions.sqlite.current)
    throw new Refusal("conflict", "", {
      reason: `${path} exists already, of another version: nothing is overwritten, put it elsewhere`,
    })
  const database = new Database(path, { strict: true, readwrite: true })
  database.run("PRAGMA query_only = ON")
  return {
    ...reading(() => database),
    async [Symbol.asyncDispose]() {
      database.close()
    },
  }
}

function reading(opened: () => Database) {
  return {
    async read(table: Table, page: Page): Promise<Row[]> {
      const { sql, parameters } = pageQuery(table, page, "", (number) => `?${number}`)
      return (
        opened()
          .query(sql)
          .values(...parameters) as Value[][]
      ).map(portable)
    },
    async count({ name }: Table): Promise<number> {
      return (
        opened()
          .query(`SELECT count(*) AS rows FROM ${quoted(name)}`)
          .get() as { rows: number }
      ).rows
    },
    async last(table: Table): Promise<Row | undefined> {
      return opened().query(lastQuery(table, "")).values()[0] as Row | undefined
    },
  }
}
