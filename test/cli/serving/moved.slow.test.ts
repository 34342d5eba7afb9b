import { afterEach, test as anyTest, beforeEach, expect } from "bun:test"
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { guichet } from "../../support/cli.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { administer, noPostgres } from "../../support/postgres-server.ts"
import { startServe } from "../../support/serve.ts"
import { type TemporaryFolder, temporaryFolder } from "../../support/service.ts"

/* A database that was moved elsewhere: a service that starts with it by mistake would take in what is missing there. */

const test = anyTest.skipIf(noPostgres())

let folder: TemporaryFolder
let dataDir: string
let inFolder: Record<string, string>
let inPostgres: Record<string, string>
beforeEach(async () => {
  folder = temporaryFolder()
  dataDir = join(folder.path, "data")
  mkdirSync(dataDir)
  const { GUICHET_SECRET_KEY = "", ...address } = serverSettings(await createDatabase())
  inFolder = { GUICHET_DATA_DIR: dataDir, GUICHET_DATABASE_URL: "", GUICHET_SECRET_KEY }
  inPostgres = { ...inFolder, ...address }
})
afterEach(() => folder[Symbol.dispose]())

async function done(argv: string[], environment: Record<string, string>) {
  const ended = await guichet(argv, environment)
  expect(ended.exitCode, ended.stderr).toBe(0)
  return ended
}

const toPostgres = () => done(["move", "--to", inPostgres["GUICHET_DATABASE_URL"] as string], inFolder)

/** What a service says that refuses to start, and never will. */
async function refusal(environment: Record<string, string>): Promise<string> {
  const ended = await guichet(["serve"], { ...environment, GUICHET_PORT: "0" })
  expect(ended.exitCode, ended.stderr).toBe(2)
  return ended.stderr
}

async function starts(environment: Record<string, string>, ...options: string[]): Promise<void> {
  await using service = await startServe(environment, undefined, options)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
}

test("the folder that a move has left starts no service unless it is forced, and then again", async () => {
  await done(["workspace", "list"], inFolder)
  await toPostgres()
  const said = await refusal(inFolder)
  expect(said).toContain("was moved to PostgreSQL")
  expect(said).toContain("set GUICHET_DATABASE_URL")
  const [, mark = ""] = /remove (\S+) \(or guichet serve --force\)/.exec(said) ?? []
  expect(existsSync(mark)).toBe(true)
  await starts(inPostgres)
  await starts(inFolder, "--force")
  await starts(inFolder)
})

test("so does the PostgreSQL database, and the way back stands in the document", async () => {
  await done(["workspace", "add", "--name", "Agence"], inFolder)
  await toPostgres()
  // As data/operate/several-machines.md has it.
  mkdirSync(join(dataDir, "left"))
  for (const name of readdirSync(dataDir).filter((name) => name.startsWith("guichet.db")))
    renameSync(join(dataDir, name), join(dataDir, "left", name))
  await done(["move", "--to", dataDir], inPostgres)
  await starts(inFolder)
  expect((await done(["workspace", "list"], inFolder)).stdout).toContain("Agence")
  expect(await refusal(inPostgres)).toContain("was moved to a data folder")
  await administer(inPostgres["GUICHET_DATABASE_URL"] as string, "COMMENT ON TABLE schema_version IS NULL")
  await starts(inPostgres)
})

test("a move back to a database that is still the same makes it the one to start with", async () => {
  await done(["workspace", "list"], inFolder)
  await toPostgres()
  const other = { ...inFolder, GUICHET_DATA_DIR: join(folder.path, "other") }
  await done(["move", "--to", other.GUICHET_DATA_DIR], inPostgres)
  expect(await refusal(inPostgres)).toContain("was moved to a data folder")
  await done(["move", "--to", inPostgres["GUICHET_DATABASE_URL"] as string], other)
  await starts(inPostgres)
  expect(await refusal(other)).toContain("was moved to PostgreSQL")
})
