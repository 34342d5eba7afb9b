import { test as anyTest, expect } from "bun:test"
import { versions } from "../../../src/db/migrations/versions.ts"
import { migrate } from "../../../src/db/postgres/migrate.ts"
import { holdVersionLock, refuseServices } from "../../../src/db/postgres/version-lock.ts"
import { guichet } from "../../support/cli.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { administer, noPostgres } from "../../support/postgres-server.ts"
import { eventually } from "../../support/processes.ts"
import { startServe } from "../../support/serve.ts"
import { temporaryFolder } from "../../support/service.ts"
import { withStep } from "../../support/versions.ts"

const test = anyTest.skipIf(noPostgres())

const later = "CREATE TABLE later (id bigint);"

const serverOf = (url: string) => ({ url, ca: undefined, tls: undefined })

test("a database is made once, whoever starts with it, and found as it is afterwards", async () => {
  const server = serverOf(await createDatabase())
  const made = await Promise.all([migrate(server), migrate(server), migrate(server)])
  const to = versions.postgres.current
  expect(made.map(({ from }) => from).sort()).toEqual([0, to, to].sort())
  expect(await migrate(server)).toEqual({ from: to, to })
})

test("a program that is older than the database does not start", async () => {
  const server = serverOf(await createDatabase())
  await migrate(server, withStep(versions.postgres, ""))
  expect(migrate(server)).rejects.toThrow("newer Guichet")
})

test("a program that changes tables waits until no service of an older one runs", async () => {
  const server = serverOf(await createDatabase())
  const { to } = await migrate(server)
  const newer = withStep(versions.postgres, later)
  {
    await using _older = await holdVersionLock(server, to)
    expect(migrate(server, newer)).rejects.toThrow("stop every one")
    // One that changes none may run beside it.
    expect(await migrate(server)).toEqual({ from: to, to })
    await Bun.sleep(0)
  }
  expect(await migrate(server, newer)).toEqual({ from: to, to: to + 1 })
})

test("nodes are upgraded by stopping the last one, and no older one starts afterwards", async () => {
  const url = await createDatabase()
  const newer = withStep(versions.postgres, later)
  using first = temporaryFolder()
  using second = temporaryFolder()
  const environmentOf = ({ path }: { path: string }) => ({ ...serverSettings(url), GUICHET_DATA_DIR: path })
  await using one = await startServe(environmentOf(first))
  await using other = await startServe(environmentOf(second))
  for (const node of [one, other]) {
    await expect(migrate(serverOf(url), newer)).rejects.toThrow("stop every one")
    node.stop()
    expect(await node.exited).toBe(0)
  }
  await migrate(serverOf(url), newer)
  const refused = await guichet(["serve"], { GUICHET_PORT: "0", ...environmentOf(first) })
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("a newer Guichet") })
})

test("a service whose connections ended while a newer program migrated the database ends, and says why", async () => {
  const url = await createDatabase()
  await migrate(serverOf(url))
  const newer = withStep(versions.postgres, later)
  using folder = temporaryFolder()
  await using service = await startServe({ ...serverSettings(url), GUICHET_DATA_DIR: folder.path })
  await eventually(async () => {
    await endConnections(url)
    return migrate(serverOf(url), newer).catch(() => undefined)
  })
  expect(await service.exited).toBe(2)
  expect(service.log()).toContain("a newer Guichet")
})

test("a service whose connections ended is told of a copy that began meanwhile", async () => {
  const url = await createDatabase()
  const { to } = await migrate(serverOf(url))
  await using held = await holdVersionLock(serverOf(url), to)
  const copying = await eventually(async () => {
    await endConnections(url)
    return refuseServices(serverOf(url), to)
  })
  expect(String(await held.superseded)).toContain("guichet move")
  await copying[Symbol.asyncDispose]()
})

test("a service whose connections ended goes on when nothing has changed", async () => {
  const url = await createDatabase()
  const { to } = await migrate(serverOf(url))
  const newer = withStep(versions.postgres, "")
  await using held = await holdVersionLock(serverOf(url), to)
  await endConnections(url)
  const sql = new Bun.SQL(url, { max: 1 })
  await eventually(async () => {
    const [row] = await sql`
      SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE locktype = 'advisory' AND d.datname = current_database()`
    return row
  })
  await sql.close()
  await expect(migrate(serverOf(url), newer)).rejects.toThrow("stop every one")
  expect(await Promise.race([held.superseded, Bun.sleep(0)])).toBeUndefined()
})

async function endConnections(url: string): Promise<void> {
  await administer(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  )
}

test("a service does not begin that a newer program was faster than", async () => {
  const server = serverOf(await createDatabase())
  const { to } = await migrate(server)
  await migrate(server, withStep(versions.postgres, ""))
  await expect(holdVersionLock(server, to)).rejects.toThrow("a newer Guichet")
  // It keeps nobody from migrating.
  expect(await migrate(server, withStep(withStep(versions.postgres, ""), ""))).toMatchObject({ to: to + 2 })
})
