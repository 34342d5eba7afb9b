import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { databasePath } from "../../src/db/connection.ts"
import { migrate } from "../../src/db/migrate.ts"
import { temporaryFolder } from "../support/service.ts"

const one = "CREATE TABLE one (a INTEGER); INSERT INTO one VALUES (1);"
const two = "CREATE TABLE two (a INTEGER); INSERT INTO two SELECT a FROM one;"

test("a new database is brought to the last version, without a backup", () => {
  using folder = temporaryFolder()
  expect(migrate(folder.path, [one, two])).toEqual({ from: 0, to: 2, backup: undefined })
})

test("an existing database is copied before it is changed", () => {
  using folder = temporaryFolder()
  migrate(folder.path, [one])
  const { backup } = migrate(folder.path, [one, two])
  expect(backup && existsSync(backup)).toBe(true)
  using copy = new Database(backup as string, { readonly: true })
  expect(copy.query("SELECT name FROM sqlite_master").all()).toEqual([{ name: "one" }])
})

test("a step that fails leaves the database at the step before", () => {
  using folder = temporaryFolder()
  expect(() =>
    migrate(folder.path, [one, "CREATE TABLE three (a); INSERT INTO nowhere VALUES (1);"]),
  ).toThrow("nowhere")
  using database = new Database(databasePath(folder.path))
  expect(database.query("SELECT name FROM sqlite_master").all()).toEqual([{ name: "one" }])
  expect(migrate(folder.path, [one, two]).from).toBe(1)
})

test("a database newer than the program is refused in clear words", () => {
  using folder = temporaryFolder()
  migrate(folder.path, [one, two])
  expect(() => migrate(folder.path, [one])).toThrow(/written by a newer Guichet/)
})
