import { test as anyTest, expect } from "bun:test"
import { sql } from "kysely"
import type { Project } from "../../../src/accounts/project.ts"
import { reserveAsk } from "../../../src/accounts/quotas/ask-quota.ts"
import { openApp } from "../../../src/app.ts"
import { readConfig } from "../../../src/config/config.ts"
import { lookup } from "../../../src/db/lookup.ts"
import { openConnection } from "../../../src/db/postgres/connection.ts"
import { migrate } from "../../../src/db/postgres/migrate.ts"
import { preparedAhead } from "../../../src/db/prepared.ts"
import { openQueue } from "../../../src/webhooks/delivery/database-queue.ts"
import { fill, openDestinations } from "../../bench/deliveries/drain.ts"
import { recordedMessages } from "../../support/forms.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const test = anyTest.skipIf(noPostgres())

/* What nodes do in batches, on one database: exact over all of them, and each caller with an end of its own. */

async function migrated() {
  const server = { url: await createDatabase(), ca: undefined, tls: undefined }
  await migrate(server)
  return server
}

const wide = { perMinute: 1000, perVisitorDay: 1000, perProjectDay: 1000, perOrganisationMonth: 1000 }

test("limits hold exactly over two nodes whose questions come at once", async () => {
  const server = await migrated()
  await using one = await openConnection(server)
  await using other = await openConnection(server)
  for (const limit of ["perMinute", "perVisitorDay", "perProjectDay", "perOrganisationMonth"] as const) {
    const project = { id: limit, organisationId: limit, limits: {} } as Project
    const nowMs = Date.now()
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        reserveAsk(
          (index % 2 ? one : other).relaxed,
          { project, visitor: "v" },
          { ...wide, [limit]: 10 },
          { timezone: "UTC", nowMs },
        ),
      ),
    )
    expect([limit, results.filter(({ status }) => status === "fulfilled").length]).toEqual([limit, 10])
  }
})

test("the minute of a question slides, and projects of one organisation have minutes of their own", async () => {
  await using connection = await openConnection(await migrated())
  const ask = async (id: string, nowMs: number, count: number) => {
    const project = { id, organisationId: "o", limits: { perMinute: id === "b" ? 3 : null } } as Project
    const asked = Array.from({ length: count }, () =>
      reserveAsk(
        connection.db,
        { project, visitor: "v" },
        { ...wide, perMinute: 5 },
        { timezone: "UTC", nowMs },
      ),
    )
    const results = await Promise.allSettled(asked)
    return results.filter(({ status }) => status === "fulfilled").length
  }
  expect(await ask("a", 1_000_000, 2)).toBe(2)
  expect(await Promise.all([ask("a", 1_030_000, 9), ask("b", 1_030_000, 9)])).toEqual([3, 3])
  expect(await ask("a", 1_059_999, 9)).toBe(0)
  expect(await ask("a", 1_060_000, 9)).toBe(2)
  expect(await ask("b", 1_089_999, 9)).toBe(0)
  expect(await ask("b", 1_090_000, 9)).toBe(3)
})

test("one idempotency key is one response, whichever node takes the posts", async () => {
  const settings = serverSettings(await createDatabase())
  await using one = await aService().withSettings(settings).withForms().started()
  await using other = await aService().withSettings(settings).started()
  const form = await one.form()
  const post = (url: string, fields: Record<string, string>) =>
    fetch(`${url}/f/${form.publicId}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://www.exemple.fr" },
      body: JSON.stringify(fields),
    })
  const posted = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const { url } = index % 2 ? one : other
      const response = await post(url, { nom: "Camille", guichet_key: `key ${index % 4}` })
      return ((await response.json()) as { id: string }).id
    }),
  )
  expect(new Set(posted).size).toBe(4)
  expect(await form.responses()).toHaveLength(4)
})

test("a post that cannot be stored does not take others of its batch with it", async () => {
  const messages = recordedMessages()
  const enqueue: typeof messages.enqueue = async (transaction, event) => {
    if (event.data.values["nom"] === "Dominique") throw new Error("cannot be stored")
    await messages.enqueue(transaction, event)
  }
  await using site = await aService()
    .withSettings({ ...serverSettings(await createDatabase()), GUICHET_LOG_LEVEL: "error" })
    .withOverrides({ messageQueue: { ...messages, enqueue } })
    .withForms()
    .started()
  const form = await site.form()
  const names = ["Camille", "Dominique", "Claude", "Sacha"]
  const posted = await Promise.all(names.map((nom) => form.json({ nom })))
  expect(posted.map(({ status }) => status)).toEqual([201, 503, 201, 201])
  expect(await form.responses()).toHaveLength(3)
})

test("what is sent ahead and fails, fails what follows it with its own error", async () => {
  await using connection = await openConnection(await migrated())
  const { db } = connection
  const add = preparedAhead<{ hash: string }>((value, builder) =>
    builder
      .insertInto("setup_link")
      .values({ hash: value("hash"), expires_at: 1 })
      .compile(),
  )
  const twice = (then: "read" | "commit") =>
    db.transaction().execute(async (transaction) => {
      await add(transaction, { hash: "x" })
      await add(transaction, { hash: "x" })
      if (then === "read") await transaction.selectFrom("setup_link").selectAll().execute()
    })
  for (const then of ["read", "commit"] as const) {
    const failure = await twice(then).catch((error) => error)
    expect([then, failure.errno]).toEqual([then, "23505"])
  }
  expect(await db.selectFrom("setup_link").selectAll().execute()).toEqual([])
})

test("what is looked up at the same moment goes in one statement, and each caller gets its own rows", async () => {
  await using connection = await openConnection(await migrated())
  const { db } = connection
  const find = lookup<{ expires_at: number }>((isWanted, builder) =>
    builder
      .selectFrom("setup_link")
      .select(["expires_at", "hash as key"])
      .select(sql<number>`count(*) OVER ()`.as("together"))
      .where(isWanted("hash"))
      .compile(),
  )
  for (const expires_at of [1, 2, 3])
    await db
      .insertInto("setup_link")
      .values({ hash: `h${expires_at}`, expires_at })
      .execute()
  const found = await Promise.all(["h1", "h2", "absent", "h1"].map((hash) => find(db, hash)))
  expect(found).toMatchObject([
    [{ expires_at: 1, together: 2 }],
    [{ expires_at: 2, together: 2 }],
    [],
    [{ expires_at: 1, together: 2 }],
  ])
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("setup_link").where("hash", "=", "h3").execute()
    expect(await find(transaction, "h3")).toEqual([])
    expect(await find(db, "h3")).toHaveLength(1)
  })
  expect(await find(db, "h3")).toEqual([])
})

test("an endpoint is sent to by one node, and each node has its part of the endpoints", async () => {
  const settings = serverSettings(await createDatabase())
  using folder = temporaryFolder()
  await using app = await openApp(
    readConfig({
      GUICHET_DATA_DIR: folder.path,
      GUICHET_EMBEDDING: "none",
      GUICHET_LOG_LEVEL: "error",
      ...settings,
    }),
  )
  for (const id of ["node_a", "node_b"])
    await app.db
      .insertInto("node")
      .values({ id, host: id, version: "0", arithmetic: "", started_at: 1, beat_at: 1 })
      .execute()
  const destinations = await openDestinations(app, "hooks.acme.fr", 40)
  await fill(app, destinations, 400)
  const capacity = { total: 1200, shared: 1080, perKey: 48, lowPriority: 600, of: () => 48 }
  const claim = async () => {
    const request = { nowMs: app.clock.now(), results: [], held: () => [], invalidated: false }
    return (await openQueue(app).round({ ...request, capacity: () => capacity })).claims
  }
  const [one, other, third] = [await claim(), await claim(), await claim()]
  const of = (claims: typeof one) => new Set(claims.map(({ endpointId }) => endpointId))
  expect([of(one).size, of(other).size]).toEqual([20, 20])
  expect(of(one).intersection(of(other)).size).toBe(0)
  expect([one.length, other.length, third.length]).toEqual([200, 200, 0])
})
