import { afterEach, test as anyTest, expect } from "bun:test"
import { sql } from "kysely"
import { hourMs, secondMs } from "../../../src/base/clock.ts"
import { lockUntilCommit } from "../../../src/db/with-lock.ts"
import { openQueue } from "../../../src/webhooks/delivery/database-queue.ts"
import { leaseMs } from "../../../src/webhooks/delivery/lease.ts"
import type { AttemptResult, Claim, DeliveryQueue, Round } from "../../../src/webhooks/delivery/queue.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
import { eventually } from "../../support/processes.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

/* What several nodes do with one queue: on PostgreSQL, whatever the engine of the run is. */

const test = anyTest.skipIf(noPostgres())

let webhooks: Webhooks
afterEach(() => webhooks?.[Symbol.asyncDispose]())

/** A queue of which nobody makes an attempt, and the claim of its only delivery. */
async function claimed(): Promise<{ queue: DeliveryQueue; claim: Claim }> {
  webhooks = await aService()
    .withReceivers()
    .withSettings(serverSettings(await createDatabase()))
    .started()
  await webhooks.stopWork()
  await webhooks.endpoint()
  await webhooks.respond()
  const queue = openQueue({ ...webhooks.service.app, random: () => 0 })
  const { claims } = await queue.round(roundWith({}))
  return { queue, claim: claims[0] as Claim }
}

function roundWith(changes: Partial<Round>): Round {
  return {
    nowMs: webhooks.clock.now(),
    results: [],
    held: () => [],
    capacity: () => ({ total: 10, shared: 10, perKey: 10, lowPriority: 10, of: () => 10 }),
    invalidated: false,
    ...changes,
  }
}

function resultOf(claim: Claim, outcome: AttemptResult["outcome"], status: number): AttemptResult {
  const atMs = webhooks.clock.now()
  return {
    claim,
    startedAtMs: atMs,
    endedAtMs: atMs,
    durationMs: 3,
    outcome,
    status,
    cause: null,
    address: null,
    responseExcerpt: null,
    responseHeaders: null,
  }
}

/** The queue of another node. */
const another = () => openQueue({ ...webhooks.service.app, random: () => 0 })

/** Time passes, with a round of this node at each second, and makes what was claimed. */
async function pass(queue: DeliveryQueue, seconds: number): Promise<Claim[]> {
  const claims: Claim[] = []
  for (let second = 0; second < seconds; second++) {
    webhooks.clock.move(secondMs)
    claims.push(...(await queue.round(roundWith({ held: () => claims }))).claims)
  }
  return claims
}

const leases = () => webhooks.service.app.db.selectFrom("lease").selectAll().execute()
const deliveries = () => webhooks.service.app.db.selectFrom("delivery").selectAll().execute()
const attempts = () => webhooks.service.app.db.selectFrom("attempt").selectAll().execute()

test("results that were written down although nobody heard of it are counted and logged once", async () => {
  const { queue, claim } = await claimed()
  const results = [resultOf(claim, "http_status", 503)]
  await queue.round(roundWith({ results }))
  const once = await deliveries()
  await queue.round(roundWith({ results }))
  expect(await deliveries()).toEqual(once)
  expect(once).toMatchObject([{ state: "pending", attempts_made: 1 }])
  expect(await attempts()).toHaveLength(1)
})

test("results are written down while a node that claims is frozen", async () => {
  const { queue, claim } = await claimed()
  const { db } = webhooks.service.app
  const thawed = Promise.withResolvers<void>()
  const frozen = Promise.withResolvers<void>()
  const claiming = db.transaction().execute(async (transaction) => {
    await lockUntilCommit(transaction, "claim")
    frozen.resolve()
    await thawed.promise
  })
  await frozen.promise
  const round = queue.round(roundWith({ results: [resultOf(claim, "delivered", 200)] }))
  await eventually(async () => (await deliveries())[0]?.state === "delivered", 5000)
  thawed.resolve()
  await claiming
  expect(await round).toEqual({ claims: [], ended: [] })
})

test("what a node held when it died is another one's once its lease is over", async () => {
  const { claim } = await claimed()
  const other = another()
  expect(await pass(other, leaseMs / secondMs - 1)).toEqual([])
  const [again] = await pass(other, 1)
  expect(again?.deliveryNumber).toBe(claim.deliveryNumber)
  expect(await attempts()).toMatchObject([{ outcome: "interrupted" }])
})

test("after a time without PostgreSQL nodes let each other write down what they had sent", async () => {
  const { queue, claim } = await claimed()
  const other = another()
  await pass(other, 10)
  await queue.round(roundWith({ held: () => [claim] }))
  // Neither may claim yet.
  webhooks.clock.move(25 * secondMs)
  const started = another()
  for (const each of [other, started]) expect(await pass(each, 4)).toEqual([])
  await queue.round(roundWith({ results: [resultOf(claim, "delivered", 200)] }))
  for (const each of [other, started]) expect(await pass(each, 10)).toEqual([])
  expect(await attempts()).toMatchObject([{ outcome: "delivered" }])
})

test("what a node held when it died without PostgreSQL is made again once that was there for some seconds", async () => {
  const { claim } = await claimed()
  const other = another()
  await pass(other, 10)
  webhooks.clock.move(25 * secondMs)
  expect(await pass(other, 8)).toMatchObject([{ deliveryNumber: claim.deliveryNumber }])
})

test("a lease that is renewed at the moment when it is to be ended stays", async () => {
  const { queue, claim } = await claimed()
  const other = another()
  await pass(other, leaseMs / secondMs - 1)
  webhooks.clock.move(secondMs)
  const { db } = webhooks.service.app
  const renewed = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const renewing = db.transaction().execute(async (transaction) => {
    const until = webhooks.clock.now() + leaseMs
    await transaction.updateTable("lease").set({ until }).execute()
    renewed.resolve()
    await mayCommit.promise
  })
  await renewed.promise
  const ending = other.round(roundWith({}))
  await eventually(async () => {
    const { rows } = await sql`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
      db,
    )
    return rows.length > 0
  })
  mayCommit.resolve()
  await renewing
  expect((await ending).claims).toEqual([])
  expect((await queue.round(roundWith({ held: () => [claim] }))).ended).toEqual([])
})

test("a node that was paused until others had its claims drops them, and no two leases hold one delivery", async () => {
  const { queue, claim } = await claimed()
  const pausedAtMs = webhooks.clock.now()
  const other = another()
  const [again] = (await pass(other, leaseMs / secondMs)) as [Claim]
  expect(again.deliveryNumber).toBe(claim.deliveryNumber)
  const taken = await leases()
  expect(taken).toHaveLength(1)
  // Its clock stood still, too. The attempt is in flight, and stays so for some rounds.
  for (const nowMs of [pausedAtMs, webhooks.clock.now(), webhooks.clock.now()]) {
    const { claims, ended } = await queue.round(roundWith({ nowMs, held: () => [claim] }))
    expect([claims, ended]).toEqual([[], [claim]])
    expect(await leases()).toEqual(taken)
  }
  await other.round(roundWith({ results: [resultOf(again, "delivered", 200)], capacity: () => undefined }))
  await webhooks.respond()
  const [next] = (await queue.round(roundWith({ held: () => [claim] }))).claims
  const held = (await leases()).map((lease) => JSON.parse(lease.held).automatic)
  expect(held).toEqual([[next?.deliveryNumber]])
})

test("a node whose clock is behind that of the others claims nothing, and shortens no lease of theirs", async () => {
  await claimed()
  const before = await leases()
  await webhooks.endpoint()
  await webhooks.respond()
  const nowMs = webhooks.clock.now() - hourMs
  await sql`UPDATE delivery SET due_at = ${nowMs}`.execute(webhooks.service.app.db)
  expect((await another().round(roundWith({ nowMs }))).claims).toEqual([])
  expect(await leases()).toEqual(before)
})

test("a clock of PostgreSQL that was set back leaves no lease that lasts for hours", async () => {
  const { claim } = await claimed()
  const { db } = webhooks.service.app
  await db
    .updateTable("lease")
    .set({ until: Date.now() + hourMs })
    .execute()
  webhooks.clock.move(Date.now() - webhooks.clock.now())
  const other = another()
  await other.round(roundWith({}))
  expect((await leases())[0]?.until).toBeLessThan(Date.now() + leaseMs + secondMs)
  expect(await pass(other, leaseMs / secondMs + 1)).toMatchObject([{ deliveryNumber: claim.deliveryNumber }])
})
