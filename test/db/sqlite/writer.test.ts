import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { join } from "node:path"
import { sql } from "kysely"
import type { Connection } from "../../../src/db/connection.ts"
import { prepared } from "../../../src/db/prepared.ts"
import { databasePath, openConnection } from "../../../src/db/sqlite/connection.ts"
import { migrate } from "../../../src/db/sqlite/migrate.ts"
import { openWriter } from "../../../src/db/sqlite/writer.ts"
import { type TemporaryFolder, temporaryFolder } from "../../support/service.ts"

let folder: TemporaryFolder
let connection: Connection

beforeEach(() => {
  folder = temporaryFolder()
  migrate(folder.path)
  connection = openConnection(folder.path)
})

afterEach(async () => {
  await connection[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const names = async () =>
  (await connection.db.selectFrom("job").select("name").orderBy("name").execute()).map((row) => row.name)
const job = (name: string) => ({ name, last_run_at: 1 })

test.each(["a", "b", "d"])(
  "transaction %s of four throws and leaves nothing, its neighbours of the same commit stay",
  async (thrower) => {
    const all = ["a", "b", "c", "d"]
    const outcomes = await Promise.allSettled(
      all.map((name) =>
        connection.db.transaction().execute(async (transaction) => {
          await transaction.insertInto("job").values(job(name)).execute()
          await transaction
            .insertInto("job")
            .values(job(`${name}2`))
            .execute()
          if (name === thrower) throw new Error("no")
        }),
      ),
    )
    const others = all.filter((name) => name !== thrower)
    expect(all.filter((_, index) => outcomes[index]?.status === "fulfilled")).toEqual(others)
    expect(await names()).toEqual(others.flatMap((name) => [name, `${name}2`]))
  },
)

test("what was left for the next commit stays when the transaction after it throws", async () => {
  await connection.relaxed.insertInto("job").values(job("left")).execute()
  const thrown = connection.db.transaction().execute(async (transaction) => {
    await transaction.insertInto("job").values(job("a")).execute()
    throw new Error("no")
  })
  await expect(thrown).rejects.toThrow("no")
  await connection.db.insertInto("job").values(job("b")).execute()
  expect(await names()).toEqual(["b", "left"])
})

test("a statement outside a transaction never lands inside somebody else's", async () => {
  let written: Promise<unknown> | undefined
  await connection.db
    .transaction()
    .execute(async (transaction) => {
      await transaction.insertInto("job").values(job("inside")).execute()
      written = connection.db.insertInto("job").values(job("outside")).execute()
      await Bun.sleep(5)
      throw new Error("rolled back")
    })
    .catch(() => {})
  await written
  expect(await names()).toEqual(["outside"])
})

test("nobody reads what is not committed", async () => {
  await connection.db.transaction().execute(async (transaction) => {
    await transaction.insertInto("job").values(job("a")).execute()
    expect(await transaction.selectFrom("job").selectAll().execute()).toHaveLength(1)
    expect(await names()).toEqual([])
  })
  expect(await names()).toEqual(["a"])
})

test("a failing statement fails its own caller only", async () => {
  const both = await Promise.allSettled([
    connection.db.insertInto("job").values(job("a")).execute(),
    connection.db.insertInto("job").values(job("a")).execute(),
    connection.db.insertInto("job").values(job("b")).execute(),
  ])
  expect(both.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(await names()).toEqual(["a", "b"])
})

test("while another process holds the lock, writes wait without stopping the event loop", async () => {
  using other = new Database(databasePath(folder.path), { strict: true })
  other.run("BEGIN IMMEDIATE")
  const written = connection.db.insertInto("job").values(job("a")).execute()
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  await Bun.sleep(60)
  clearInterval(timer)
  other.run("COMMIT")
  await written
  // A loop that stood still for the 60 ms would tick once, afterwards.
  expect(ticks).toBeGreaterThan(1)
  expect(await names()).toEqual(["a"])
})

test("those who wait in line for a lock are refused together, not one after the other", async () => {
  using database = new Database(databasePath(folder.path), { strict: true })
  using other = new Database(databasePath(folder.path), { strict: true })
  other.run("BEGIN IMMEDIATE")
  const timeoutMs = 200
  const writer = openWriter(database, timeoutMs)
  const startedAt = performance.now()
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => writer.begin()))
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(100)
  // Waiting one after the other would take 20 seconds.
  expect(performance.now() - startedAt).toBeLessThan(50 * timeoutMs)
})

test("a group that cannot be committed is refused to everyone in it", async () => {
  using other = new Database(databasePath(folder.path), { strict: true })
  const pages = (other.query("PRAGMA page_count").get() as { page_count: number }).page_count
  const big = "x".repeat(200_000)
  await connection.db.transaction().execute(async (transaction) => {
    await transaction.executeQuery({
      sql: `PRAGMA max_page_count = ${pages + 5}`,
      parameters: [],
      query: { kind: "RawNode" },
    } as never)
  })
  const outcomes = await Promise.allSettled(
    ["a", "b", "c"].map((name) =>
      connection.db
        .insertInto("job")
        .values(job(name === "b" ? big : name))
        .execute(),
    ),
  )
  const kept = await names()
  for (const [index, name] of ["a", "b", "c"].entries()) {
    if (outcomes[index]?.status === "fulfilled") expect(kept).toContain(name)
    else expect(kept).not.toContain(name)
  }
  expect(outcomes[1]?.status).toBe("rejected")
})

test("whoever writes next is whole, or not there, when the group before it was refused", async () => {
  using other = new Database(databasePath(folder.path), { strict: true })
  const { page_count } = other.query("PRAGMA page_count").get() as { page_count: number }
  await connection.db.transaction().execute(async (transaction) => {
    await transaction.executeQuery({
      sql: `PRAGMA max_page_count = ${page_count + 5}`,
      parameters: [],
      query: { kind: "RawNode" },
    } as never)
  })
  const write = (...written: string[]) =>
    connection.db.transaction().execute(async (transaction) => {
      for (const name of written) {
        await transaction.insertInto("job").values(job(name)).execute()
        await Bun.sleep(1)
      }
      if (written.length > 1) throw new Error("no")
    })
  await Promise.allSettled([write("a"), write("x".repeat(200_000)), write("b", "b2"), write("c")])
  expect((await names()).filter((name) => name.startsWith("b"))).toEqual([])
})

test("transactions of one turn of the event loop share a commit, though none waits for another", async () => {
  using database = new Database(join(folder.path, "other.db"), { strict: true })
  database.run("CREATE TABLE one (a INTEGER)")
  const ran: string[] = []
  const run = database.run.bind(database)
  database.run = (sql: string) => {
    ran.push(sql)
    return run(sql)
  }
  const writer = openWriter(database, 1000)
  const durable = []
  for (const value of [1, 2, 3]) {
    await writer.begin()
    run("INSERT INTO one VALUES (?)", [value])
    durable.push(writer.commit())
  }
  expect(ran).not.toContain("COMMIT")
  await Promise.all(durable)
  expect(ran.filter((sql) => sql === "COMMIT")).toHaveLength(1)
  await writer.begin()
  await writer.commit()
  expect(ran.filter((sql) => sql === "COMMIT")).toHaveLength(2)
})

test("what waits for its commit when the database is closed is on the disk", async () => {
  const other = openConnection(folder.path)
  const written = other.db.insertInto("job").values(job("last")).execute()
  // The transaction is written, but its group is not committed yet.
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  await other[Symbol.asyncDispose]()
  await written
  expect(await names()).toEqual(["last"])
})

test("what is left is written with the next commit, or by itself a moment later", async () => {
  await connection.relaxed.insertInto("job").values(job("a")).execute()
  expect(await names()).toEqual([])
  await connection.db.insertInto("job").values(job("b")).execute()
  expect(await names()).toEqual(["a", "b"])
  await connection.relaxed.insertInto("job").values(job("c")).execute()
  while ((await names()).length < 3) await Bun.sleep(1)
})

test("what is left is there for the next transaction, survives one that fails, and a close", async () => {
  await connection.relaxed.insertInto("job").values(job("a")).execute()
  const failing = connection.db.transaction().execute(async (transaction) => {
    expect((await transaction.selectFrom("job").select("name").execute()).map((row) => row.name)).toEqual([
      "a",
    ])
    throw new Error("no")
  })
  await expect(failing).rejects.toThrow("no")
  await connection.relaxed.insertInto("job").values(job("b")).execute()
  await connection[Symbol.asyncDispose]()
  connection = openConnection(folder.path)
  expect(await names()).toEqual(["a", "b"])
})

test("the write-ahead log is emptied once nobody reads or writes any more", async () => {
  const walBytes = () => Bun.file(`${databasePath(folder.path)}-wal`).size
  await connection.db.insertInto("job").values(job("a")).execute()
  using reader = new Database(databasePath(folder.path))
  reader.run("BEGIN")
  reader.query("SELECT * FROM job").all()
  const writing = connection.db.transaction().execute(async (transaction) => {
    await transaction.insertInto("job").values(job("b")).execute()
    await Bun.sleep(100)
  })
  const emptied = connection.emptyWal()
  await writing
  await Bun.sleep(100)
  expect(walBytes()).toBeGreaterThan(0)
  reader.run("COMMIT")
  expect(await emptied).toBe(true)
  expect(walBytes()).toBe(0)
  expect(await names()).toEqual(["a", "b"])
})

test("a raw statement names its connection: it runs in a transaction or not at all", async () => {
  const count = sql<{ rows: number }>`SELECT count(*) AS rows FROM job`
  await expect(count.execute(connection.db)).rejects.toThrow("in a transaction")
  const { rows } = await connection.db.transaction().execute((transaction) => count.execute(transaction))
  expect(rows).toEqual([{ rows: 0 }])
})

test("a prepared query runs on every database it is given, with values of its own", async () => {
  const find = prepared<{ name: string }, { name: string }>((value, builder) =>
    builder.selectFrom("job").select("name").where("name", "=", value("name")).compile(),
  )
  using otherFolder = temporaryFolder()
  migrate(otherFolder.path)
  await using other = openConnection(otherFolder.path)
  await connection.db.insertInto("job").values(job("here")).execute()
  await other.db.insertInto("job").values(job("there")).execute()
  expect((await find(connection.db, { name: "here" })).rows).toEqual([{ name: "here" }])
  expect((await find(other.db, { name: "there" })).rows).toEqual([{ name: "there" }])
  expect((await find(other.db, { name: "here" })).rows).toEqual([])
})
