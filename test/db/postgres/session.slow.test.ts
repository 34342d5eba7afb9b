import { test as anyTest, describe, expect } from "bun:test"
import { keepsSession } from "../../../src/db/postgres/session.ts"
import { guichet } from "../../support/cli.ts"
import { noPgbouncer, startPgbouncer } from "../../support/pgbouncer.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
import { temporaryFolder } from "../../support/service.ts"

const test = anyTest.skipIf(noPostgres())

const serverOf = (url: string) => ({ url, ca: undefined, tls: undefined })

test("a connection to the server keeps its session", async () => {
  expect(await keepsSession(serverOf(await createDatabase()))).toBe(true)
})

describe.skipIf(noPgbouncer())("through PgBouncer", () => {
  const check = async (url: string) => {
    using folder = temporaryFolder()
    const settings = { GUICHET_DATA_DIR: folder.path, ...serverSettings(url) }
    const { stdout, stderr } = await guichet(["check"], settings)
    return stdout + stderr
  }

  test("in session mode it is kept, and the program works", async () => {
    using pool = await startPgbouncer(await createDatabase(), "session", 50)
    expect(await keepsSession(serverOf(pool.url))).toBe(true)
    expect(await check(pool.url)).toMatch(/^ok +database/m)
  })

  test("in transaction mode it is not, which check says", async () => {
    using pool = await startPgbouncer(await createDatabase(), "transaction", 50)
    expect(await keepsSession(serverOf(pool.url))).toBe(false)
    expect(await check(pool.url)).toContain("session mode")
  })

  test("nor with a pool of one session", async () => {
    using pool = await startPgbouncer(await createDatabase(), "transaction", 1)
    expect(await keepsSession(serverOf(pool.url))).toBe(false)
  })
})
