import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { dayMs } from "../../../src/base/clock.ts"
import { versions } from "../../../src/db/migrations/versions.ts"
import { databasePath } from "../../../src/db/sqlite/connection.ts"
import { fileVersion } from "../../../src/db/sqlite/integrity.ts"
import { migrate, removeOldCopies } from "../../../src/db/sqlite/migrate.ts"
import { isVersionLocked } from "../../../src/db/sqlite/version-lock.ts"
import { startGuichet } from "../../support/cli.ts"
import { temporaryFolder } from "../../support/service.ts"
import { versionsOf, withStep } from "../../support/versions.ts"

const root = join(import.meta.dir, "../../..")
const one = "CREATE TABLE one (a INTEGER); INSERT INTO one VALUES (1);"
const two = "CREATE TABLE two (a INTEGER); INSERT INTO two SELECT a FROM one;"

test("a new database is brought to the last version, without a backup", () => {
  using folder = temporaryFolder()
  expect(migrate(folder.path, versionsOf(one, two))).toEqual({ from: 0, to: 2, backup: undefined })
})

test("an existing database is copied before it is changed", () => {
  using folder = temporaryFolder()
  migrate(folder.path, versionsOf(one))
  const { backup } = migrate(folder.path, versionsOf(one, two))
  expect(backup && existsSync(backup)).toBe(true)
  using copy = new Database(backup as string, { readonly: true })
  expect(copy.query("SELECT name FROM sqlite_master").all()).toEqual([{ name: "one" }])
})

test("a database whose copy is not sound is left as it is, and so is no half of the copy", () => {
  using folder = temporaryFolder()
  const path = databasePath(folder.path)
  const nullable = "CREATE TABLE one (a INTEGER /*----*/); INSERT INTO one VALUES (NULL);"
  migrate(folder.path, versionsOf(nullable))
  // Simulates damage that a copy inherits: a NULL in a column that is NOT NULL.
  const bytes = readFileSync(path)
  bytes.write("NOT NULL", bytes.indexOf("/*----*/"))
  writeFileSync(path, bytes)
  expect(() => migrate(folder.path, versionsOf(nullable, two))).toThrow(/copy .* is damaged/)
  expect(fileVersion(path)).toBe(1)
  expect(readdirSync(folder.path).filter((name) => name.includes("before"))).toEqual([])
})

test("a copy that is being made stays, and is removed by the next start once who made it was killed", async () => {
  using folder = temporaryFolder()
  migrate(folder.path, versionsOf(one))
  const copies = () => readdirSync(folder.path).filter((name) => name.includes(".unfinished"))
  const code = `const { unfinishedBeside } = await import(${JSON.stringify(join(root, "src/db/sqlite/durable-file.ts"))})
    const { path } = unfinishedBeside(${JSON.stringify(`${databasePath(folder.path)}.before-2`)})
    await Bun.write(path, "what visitors wrote")
    process.stdout.write("made")
    setInterval(() => {}, 1000)`
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "inherit" })
  await child.stdout.getReader().read()
  migrate(folder.path, versionsOf(one))
  expect(copies()).toHaveLength(1)
  child.kill("SIGKILL")
  await child.exited
  // As programs before this one left them.
  writeFileSync(`${databasePath(folder.path)}.before-1031.unfinished`, "what visitors wrote")
  migrate(folder.path, versionsOf(one))
  expect(copies()).toEqual([])
})

test("a copy of another day is replaced; that of a start which stopped half-way is kept", () => {
  using folder = temporaryFolder()
  const path = databasePath(folder.path)
  const rows = (file: string) => {
    using database = new Database(file, { readonly: true })
    return database.query("SELECT a FROM one").values().flat()
  }
  const { backup } = bringUp(folder.path, [one, two])
  // The owner restored that copy and kept using the older program.
  cpSync(backup, path)
  {
    using database = new Database(path)
    database.run("INSERT INTO one VALUES (2)")
  }
  expect(rows(bringUp(folder.path, [one, two]).backup)).toEqual([1, 2])

  const broken = [one, two, "INSERT INTO one VALUES (3)", "no SQL"]
  expect(() => migrate(folder.path, versionsOf(...broken))).toThrow()
  expect(fileVersion(path)).toBe(3)
  const mended = bringUp(folder.path, [...broken.slice(0, 3), "INSERT INTO one VALUES (4)"])
  expect(rows(mended.backup)).toEqual([1, 2])
  expect(rows(path)).toEqual([1, 2, 3, 4])
})

test("the copies go after 30 days, and nothing else does", () => {
  using folder = temporaryFolder()
  const { backup } = bringUp(folder.path, [one, two])
  const now = Date.now()
  removeOldCopies(folder.path, now + 29 * dayMs)
  expect(existsSync(backup)).toBe(true)
  removeOldCopies(folder.path, now + 31 * dayMs)
  expect(readdirSync(folder.path)).toEqual(["guichet.db", "locks"])
})

/** Migrates to the first step when the database is new, and then to the last one. */
function bringUp(dataDir: string, steps: string[]): { backup: string } {
  if (!existsSync(databasePath(dataDir))) migrate(dataDir, versionsOf(...steps.slice(0, 1)))
  const { backup } = migrate(dataDir, versionsOf(...steps))
  if (backup === undefined) throw new Error("no copy was made")
  return { backup }
}

test("a step that fails leaves the database at the step before", () => {
  using folder = temporaryFolder()
  migrate(folder.path, versionsOf(one))
  const failing = versionsOf(one, "CREATE TABLE three (a); INSERT INTO nowhere VALUES (1);")
  expect(() => migrate(folder.path, failing)).toThrow("nowhere")
  using database = new Database(databasePath(folder.path))
  expect(database.query("SELECT name FROM sqlite_master").all()).toEqual([{ name: "one" }])
  expect(migrate(folder.path, versionsOf(one, two)).from).toBe(1)
})

test("a database newer than the program is refused in clear words", () => {
  using folder = temporaryFolder()
  migrate(folder.path, versionsOf(one, two))
  expect(() => migrate(folder.path, versionsOf(one))).toThrow(/written by a newer Guichet/)
})

test("no newer program brings the database up under a service that runs; the service's restart does", async () => {
  using folder = temporaryFolder()
  const newer = withStep(versions.sqlite, one)
  {
    await using service = await startGuichet(["serve"], { GUICHET_DATA_DIR: folder.path, GUICHET_PORT: "0" })
    while (!isVersionLocked(folder.path, versions.sqlite.current) && service.exitCode === null)
      await Bun.sleep(20)
    expect(() => migrate(folder.path, newer)).toThrow(/restart it first/)
    expect(fileVersion(databasePath(folder.path))).toBe(versions.sqlite.current)
    expect(migrate(folder.path)).toMatchObject({ from: versions.sqlite.current, to: versions.sqlite.current })
  }
  expect(migrate(folder.path, newer).to).toBe(newer.current)
})
