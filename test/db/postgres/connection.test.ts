import { test as anyTest, expect } from "bun:test"
import { connect, createServer, type Socket } from "node:net"
import { sql } from "kysely"
import { parseDatabaseUrl } from "../../../src/config/database-url.ts"
import { openClient } from "../../../src/db/postgres/client.ts"
import { openConnection } from "../../../src/db/postgres/connection.ts"
import { migrate } from "../../../src/db/postgres/migrate.ts"
import { openPool } from "../../../src/db/postgres/pool.ts"
import { createDatabase } from "../../support/postgres.ts"
import { freePort, noPostgres } from "../../support/postgres-server.ts"
import { eventually } from "../../support/processes.ts"
import { openProxy } from "../../support/proxy.ts"

const test = anyTest.skipIf(noPostgres())

const serverOf = (url: string) => ({ url, ca: undefined, tls: undefined })

async function migrated() {
  const server = serverOf(await createDatabase())
  await migrate(server)
  return server
}

test("integers are numbers, a list without members holds nothing, and texts lose their NUL", async () => {
  await using connection = await openConnection(await migrated())
  const { db } = connection
  const setup = { hash: "a\0b", expires_at: 1_795_545_600_000 }
  await db.insertInto("setup_link").values(setup).execute()
  expect(await db.selectFrom("setup_link").selectAll().execute()).toEqual([{ ...setup, hash: "a\ufffdb" }])
  expect(await db.selectFrom("setup_link").selectAll().where("hash", "in", []).execute()).toEqual([])
})

test("lists of any length are few statements, so that the server does not keep one for each", async () => {
  await using connection = await openConnection(await migrated())
  const { db } = connection
  const hashes = Array.from({ length: 70 }, (_, number) => `hash ${number}`)
  await db
    .insertInto("setup_link")
    .values(hashes.map((hash) => ({ hash, expires_at: 1 })))
    .execute()
  await db.transaction().execute(async (transaction) => {
    for (let length = 1; length <= hashes.length; length++) {
      const some = hashes.slice(0, length)
      const found = transaction.selectFrom("setup_link").select("hash").where("hash", "in", some)
      expect((await found.execute()).map(({ hash }) => hash).toSorted()).toEqual(some.toSorted())
    }
    const { rows } = await sql<{ kept: number }>`
      SELECT count(*) AS kept FROM pg_prepared_statements WHERE statement LIKE '%setup_link%'`.execute(
      transaction,
    )
    expect(rows[0]?.kept).toBeLessThan(10)
  })
})

test("texts sort by their code points, whatever the collation of the database is", async () => {
  await using connection = await openConnection(await migrated())
  const { db } = connection
  const hashes = ["Z", "a", "_", "é", "B"]
  await db
    .insertInto("setup_link")
    .values(hashes.map((hash) => ({ hash, expires_at: 1 })))
    .execute()
  const sorted = await db.selectFrom("setup_link").select("hash").orderBy("hash").execute()
  expect(sorted.map(({ hash }) => hash)).toEqual(hashes.toSorted())
})

test("a transaction whose statement failed is not taken for one that was committed", async () => {
  await using connection = await openConnection(await migrated())
  const { db } = connection
  const swallowed = db.transaction().execute(async (transaction) => {
    await transaction.insertInto("setup_link").values({ hash: "x", expires_at: 1 }).execute()
    await sql`SELECT 1 / 0`.execute(transaction).catch(() => {})
  })
  expect(swallowed).rejects.toThrow()
  await swallowed.catch(() => {})
  expect(await db.selectFrom("setup_link").selectAll().execute()).toEqual([])
})

test("connections that the server ends are replaced, and nothing of their transaction stays", async () => {
  const server = await migrated()
  await using connection = await openConnection(server)
  const { db } = connection
  const cut = db.transaction().execute(async (transaction) => {
    await transaction.insertInto("setup_link").values({ hash: "x", expires_at: 1 }).execute()
    await endConnections(server.url)
    await transaction.insertInto("setup_link").values({ hash: "y", expires_at: 1 }).execute()
  })
  await cut.catch(() => {})
  expect(cut).rejects.toThrow()
  for (;;) {
    const rows = await db
      .selectFrom("setup_link")
      .selectAll()
      .execute()
      .catch(() => undefined)
    if (!rows) continue
    expect(rows).toEqual([])
    break
  }
})

test("a read whose connection the server ends is made again on another one", async () => {
  const server = await migrated()
  await using connection = await openConnection(server)
  const { db } = connection
  const client = new Bun.SQL(server.url, { max: 1 })
  const read = db.selectNoFrom(sql<number>`(SELECT 1 FROM pg_sleep(1))`.as("one")).execute()
  await eventually(async () => {
    const [row] = await client`
      SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`
    return row
  })
  await client.close()
  await endConnections(server.url)
  expect(await read).toEqual([{ one: 1 }])
})

test("a statement into a network that swallows packets ends, and so does its connection", async () => {
  const server = await migrated()
  using proxy = await silentProxy(server.url)
  const client = await openClient(serverOf(proxy.url), { isRelaxed: false, statementTimeoutMs: 100 })
  await client.run("SELECT 1", [])
  proxy.beSilent()
  expect(await client.run("SELECT 1", []).catch((error) => error.code)).toBe("ERR_POSTGRES_CONNECTION_CLOSED")
  expect(client.isClosed).toBe(true)
})

test("a statement that takes too long is given up by the server, and its connection goes on", async () => {
  const client = await openClient(await migrated(), { isRelaxed: false, statementTimeoutMs: 100 })
  expect(await client.run("SELECT pg_sleep(60)", []).catch((error) => error.errno)).toBe("57014")
  expect([...(await client.run("SELECT 1 AS one", []))]).toEqual([{ one: 1 }])
  client.close()
})

test("who waits for a connection that cannot be made is told so at once", async () => {
  // Nobody listens there.
  const port = await freePort()
  using pool = openPool(serverOf(`postgres://guichet@127.0.0.1:${port}/guichet`), 1, {
    isRelaxed: false,
    statementTimeoutMs: 100,
  })
  const errors = await Promise.all(
    [pool.take(), pool.take(), pool.take()].map((taken) => taken.catch(String)),
  )
  for (const error of errors) expect(error).not.toContain("no connection was free")
})

test("a certificate is verified unless the address says otherwise or names this machine", () => {
  const parsed = (text: string) => {
    const server = parseDatabaseUrl(`postgres://guichet:secret@${text}`)
    return "fault" in server ? server.fault : server.tls
  }
  expect(parsed("db.exemple.fr/guichet")).toBe("verify")
  expect(parsed("db.exemple.fr/guichet?sslmode=require")).toBe("encrypt")
  expect(parsed("127.0.0.1/guichet")).toBeUndefined()
  for (const wrong of [
    "db.exemple.fr",
    "db.exemple.fr/guichet?sslmode=prefer",
    "db.exemple.fr/guichet?options=x",
  ])
    expect(parsed(wrong)).toMatch(/^(is|has) /)
})

async function endConnections(url: string): Promise<void> {
  const other = new Bun.SQL(url, { max: 1 })
  await other`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'guichet' AND datname = current_database()`
  await other.close()
}

/** Passes bytes on until it is told to swallow them. */
async function silentProxy(url: string): Promise<Disposable & { url: string; beSilent(): void }> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isSilent = false
  const server = createServer((client) => {
    const target = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from)
      from.on("data", (bytes) => !isSilent && to.write(bytes))
      from.on("close", () => to.destroy())
      from.on("error", () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const own = new URL(url)
  own.port = String((server.address() as { port: number }).port)
  return {
    url: own.href,
    beSilent() {
      isSilent = true
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test("a database whose locks everybody waits for is not away", async () => {
  await using connection = await openConnection(await migrated())
  const { db } = connection
  const lock = sql`SELECT pg_advisory_xact_lock(1)`
  const held = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const holder = db.transaction().execute(async (transaction) => {
    await lock.execute(transaction)
    taken.resolve()
    await held.promise
  })
  await taken.promise
  const waiting = Array.from({ length: 20 }, () =>
    db.transaction().execute((transaction) => lock.execute(transaction)),
  )
  const isWritable = await Promise.race([connection.writable(), Bun.sleep(2000)])
  held.resolve()
  await Promise.all([holder, ...waiting])
  expect(isWritable).toBe(true)
})

test("a process that is frozen within a transaction loses its locks within seconds", async () => {
  await using connection = await openConnection(await migrated())
  const { db } = connection
  const lock = sql`SELECT pg_advisory_xact_lock(1)`
  const taken = Promise.withResolvers<void>()
  const thawed = Promise.withResolvers<void>()
  const frozen = db.transaction().execute(async (transaction) => {
    await lock.execute(transaction)
    taken.resolve()
    await thawed.promise
    await lock.execute(transaction)
  })
  await taken.promise
  await db.transaction().execute((transaction) => lock.execute(transaction))
  thawed.resolve()
  await expect(frozen).rejects.toThrow()
})

test("a process that is frozen while a long result comes to it loses its locks within seconds too", async () => {
  const { url } = await migrated()
  const lock = "SELECT pg_advisory_xact_lock(1)"
  const address = new URL(url)
  using proxy = openProxy(Number(address.port))
  address.port = String(proxy.port)
  const options = { isRelaxed: false, statementTimeoutMs: 15_000 }
  const frozen = await openClient(serverOf(address.href), options)
  const other = await openClient(serverOf(url), options)
  await frozen.run("BEGIN", [])
  await frozen.run(lock, [])
  // More than the buffers of the sockets take.
  const result = frozen.run("SELECT repeat('x', 16384) FROM pg_sleep(0.5), generate_series(1, 2000)", [])
  result.catch(() => {})
  await eventually(async () => {
    const [row] = await other.run(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()",
      [],
    )
    return row !== undefined
  })
  proxy.silence()
  await other.run(lock, [])
  frozen.close()
  other.close()
})
