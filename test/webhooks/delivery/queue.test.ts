import { afterEach, expect, test } from "bun:test"
import { openQueue } from "../../../src/webhooks/delivery/database-queue.ts"
import type { AttemptResult, Claim, DeliveryQueue, Round } from "../../../src/webhooks/delivery/queue.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

/** The queue of a process that makes no attempts by itself. */
async function startQueue(endpoints = 1): Promise<{ queue: DeliveryQueue; ids: string[] }> {
  webhooks = await aService()
    .withReceivers([() => new Response("ok"), () => new Response("ok")])
    .started()
  await webhooks.stopWork()
  const ids: string[] = []
  for (const receiver of webhooks.receivers.slice(0, endpoints))
    ids.push((await webhooks.endpoint(receiver)).id)
  return { queue: openQueue({ ...webhooks.service.app, random: () => 0 }), ids }
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

function resultOf(claim: Claim, outcome: AttemptResult["outcome"], status: number | null): AttemptResult {
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
    responseExcerpt: "answer",
    responseHeaders: null,
  }
}

function deliveries() {
  return webhooks.service.app.db.selectFrom("delivery").selectAll().orderBy("number").execute()
}

test("what is due is claimed once, and again when its holder says that it holds it no longer", async () => {
  const { queue } = await startQueue()
  await webhooks.respondMany(3)
  const { claims } = await queue.round(roundWith({}))
  expect(claims).toHaveLength(3)
  expect((await queue.round(roundWith({ held: () => claims }))).claims).toEqual([])
  expect((await openQueue(webhooks.service.app).round(roundWith({}))).claims).toEqual([])
  expect((await queue.round(roundWith({}))).claims).toEqual(claims)
})

test("no more is claimed than there is capacity for, in all and of each endpoint", async () => {
  const { queue } = await startQueue(2)
  await webhooks.respondMany(10)
  expect((await queue.round(roundWith({ capacity: () => undefined }))).claims).toEqual([])
  const few = { total: 9, shared: 9, perKey: 8, lowPriority: 9, of: () => 3 }
  const { claims } = await queue.round(roundWith({ capacity: () => few }))
  const endpointIds = claims.map(({ endpointId }) => endpointId)
  expect(Object.values(Object.groupBy(endpointIds, (id) => id)).map((ids) => ids?.length)).toEqual([3, 3])
})

test("the results of a round that is rejected are not stored, and may be given again", async () => {
  const { queue } = await startQueue()
  await webhooks.respond()
  const { claims } = await queue.round(roundWith({}))
  const results = claims.map((claim) => resultOf(claim, "delivered", 200))
  const capacity = () => {
    throw new Error("no")
  }
  await expect(queue.round(roundWith({ results, capacity }))).rejects.toThrow("no")
  expect(await deliveries()).toMatchObject([{ state: "pending", attempts_made: 0 }])
  await queue.round(roundWith({ results }))
  expect(await deliveries()).toMatchObject([{ state: "delivered", attempts_made: 1, due_at: null }])
})

test("an invalidated round tells which claims have ended, and brings the others up to date", async () => {
  const { queue, ids } = await startQueue(2)
  await webhooks.respond()
  const held = [...(await queue.round(roundWith({}))).claims]
  const [deleted, moved] = ids.map((id) => held.find(({ endpointId }) => endpointId === id) as Claim)
  await webhooks.api.delete(`/api/v1/endpoints/${deleted?.endpointId}`)
  const url = "https://hooks0.acme.fr/moved"
  expect((await webhooks.api.patch(`/api/v1/endpoints/${moved?.endpointId}`, { url })).status).toBe(200)
  expect((await queue.round(roundWith({ held: () => held }))).ended).toEqual([])
  expect(moved?.recipient.url).not.toBe(url)
  const { claims, ended } = await queue.round(roundWith({ held: () => held, invalidated: true }))
  expect([claims, ended]).toEqual([[], [deleted as Claim]])
  expect(moved?.recipient.url).toBe(url)
})

test("a success counts although the claim was lost, a failure is logged and moves nothing", async () => {
  const { queue, ids } = await startQueue(2)
  await webhooks.respond()
  const { claims } = await queue.round(roundWith({}))
  for (const id of ids) await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: false })
  const [first, second] = claims as [Claim, Claim]
  await queue.round(
    roundWith({ results: [resultOf(first, "delivered", 200), resultOf(second, "http_status", 500)] }),
  )
  const stored = new Map((await deliveries()).map((delivery) => [delivery.number, delivery]))
  expect(stored.get(first.deliveryNumber)).toMatchObject({ state: "delivered", attempts_made: 1 })
  expect(stored.get(second.deliveryNumber)).toMatchObject({
    state: "cancelled",
    attempts_made: 1,
    due_at: null,
  })
  const log = await webhooks.service.app.db.selectFrom("attempt").select(["outcome", "number"]).execute()
  expect(log).toHaveLength(2)
})

test("of what is due when an endpoint is set to be sent to in order, the first one goes, and the others wait", async () => {
  const { queue, ids } = await startQueue()
  await webhooks.respondMany(5)
  await webhooks.api.patch(`/api/v1/endpoints/${ids[0]}`, { in_order: true })
  const seen: number[] = []
  for (let number = 0; number < 5; number++) {
    const { claims } = await queue.round(roundWith({}))
    seen.push(...claims.map(({ deliveryNumber }) => deliveryNumber))
    await queue.round(
      roundWith({
        results: claims.map((claim) => resultOf(claim, "delivered", 200)),
        capacity: () => undefined,
      }),
    )
  }
  expect(seen).toEqual((await deliveries()).map(({ number }) => number))
})
