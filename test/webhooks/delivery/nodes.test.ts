import { afterEach, test as anyTest, expect } from "bun:test"
import { aloneFromHere } from "../../../src/db/alone.ts"
import { openQueue } from "../../../src/webhooks/delivery/database-queue.ts"
import type { AttemptResult, Claim, DeliveryQueue, Turn } from "../../../src/webhooks/delivery/queue.ts"
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
  const { claims } = await queue.turn(turnOf({}))
  return { queue, claim: claims[0] as Claim }
}

function turnOf(turn: Partial<Turn>): Turn {
  return {
    nowMs: webhooks.clock.now(),
    results: [],
    held: () => [],
    capacity: () => ({ total: 10, shared: 10, perKey: 10, lowPriority: 10, of: () => 10 }),
    invalidated: false,
    ...turn,
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
    responseExcerpt: null,
    responseHeaders: null,
  }
}

const deliveries = () => webhooks.service.app.db.selectFrom("delivery").selectAll().execute()
const attempts = () => webhooks.service.app.db.selectFrom("attempt").selectAll().execute()

test("results that were written down although nobody heard of it are counted and logged once", async () => {
  const { queue, claim } = await claimed()
  const results = [resultOf(claim, "http_status", 503)]
  await queue.turn(turnOf({ results }))
  const once = await deliveries()
  await queue.turn(turnOf({ results }))
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
    await aloneFromHere(transaction, "claim")
    frozen.resolve()
    await thawed.promise
  })
  await frozen.promise
  const turn = queue.turn(turnOf({ results: [resultOf(claim, "delivered", 200)] }))
  await eventually(async () => (await deliveries())[0]?.state === "delivered", 5000)
  thawed.resolve()
  await claiming
  expect(await turn).toEqual({ claims: [], ended: [] })
})
