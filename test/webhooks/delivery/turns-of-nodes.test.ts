import { afterEach, test as anyTest, expect } from "bun:test"
import { secondMs } from "../../../src/base/clock.ts"
import { openQueue } from "../../../src/webhooks/delivery/database-queue.ts"
import { leaseMs } from "../../../src/webhooks/delivery/lease.ts"
import type { AttemptResult, Claim, DeliveryQueue, Round } from "../../../src/webhooks/delivery/queue.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

/* Order and rate hold among several nodes, whichever of them claims. */

const test = anyTest.skipIf(noPostgres())

let webhooks: Webhooks
afterEach(() => webhooks?.[Symbol.asyncDispose]())

/** A node that makes no attempts by itself: what it holds, and the results that it has to write down. */
interface Node {
  queue: DeliveryQueue
  held: Claim[]
  results: AttemptResult[]
}

async function started(settings: object, messages: number): Promise<[Node, Node]> {
  webhooks = await aService()
    .withReceivers()
    .withSettings(serverSettings(await createDatabase()))
    .started()
  await webhooks.stopWork()
  const { id } = await webhooks.endpoint()
  await webhooks.api.patch(`/api/v1/endpoints/${id}`, settings)
  await webhooks.respondMany(messages)
  const node = (): Node => ({ queue: openQueue(webhooks.service.app), held: [], results: [] })
  return [node(), node()]
}

/** One round of a node, and the numbers of what it claimed. */
async function round(node: Node): Promise<number[]> {
  const results = node.results.splice(0)
  const request: Round = {
    nowMs: webhooks.clock.now(),
    results,
    held: () => node.held,
    capacity: () => ({ total: 10, shared: 10, perKey: 10, lowPriority: 10, of: () => 10 }),
    invalidated: false,
  }
  const { claims } = await node.queue.round(request)
  node.held.push(...claims)
  return claims.map(({ deliveryNumber }) => deliveryNumber)
}

/** What a node holds has been answered. */
function answer(node: Node, outcome: AttemptResult["outcome"] = "delivered"): void {
  const atMs = webhooks.clock.now()
  const answered = { durationMs: 3, cause: null, address: null, responseExcerpt: null, responseHeaders: null }
  for (const claim of node.held.splice(0))
    node.results.push({
      claim,
      startedAtMs: atMs,
      endedAtMs: atMs,
      outcome,
      status: outcome === "delivered" ? 200 : 500,
      ...answered,
    })
}

test("in order, one of all nodes has one delivery, and whoever claims next has the next", async () => {
  const [one, other] = await started({ in_order: true }, 6)
  const claimed: number[] = []
  for (let count = 0; claimed.length < 6; count++) {
    const [first, second] = count % 2 === 0 ? [one, other] : [other, one]
    const numbers = [...(await round(first)), ...(await round(second)), ...(await round(first))]
    expect(numbers).toHaveLength(1)
    claimed.push(...numbers)
    answer(first)
    answer(second)
    // Written down by a node that has no room for more.
    for (const node of [first, second])
      await node.queue.round({
        nowMs: webhooks.clock.now(),
        results: node.results.splice(0),
        held: () => [],
        capacity: () => undefined,
        invalidated: false,
      })
  }
  expect(claimed).toEqual(claimed.toSorted((a, b) => a - b))
})

test("both at once claim no two of an endpoint in order", async () => {
  const [one, other] = await started({ in_order: true }, 20)
  const claimed: number[] = []
  while (claimed.length < 20) {
    const both = (await Promise.all([round(one), round(other)])).flat()
    expect(one.held.length + other.held.length).toBeLessThanOrEqual(1)
    claimed.push(...both)
    answer(one)
    answer(other)
  }
  expect(claimed).toEqual(claimed.toSorted((a, b) => a - b))
})

test("the first one of a node that died is the first one of the next node", async () => {
  const [dead, other] = await started({ in_order: true }, 3)
  const [first] = await round(dead)
  const seen: number[] = []
  for (let second = 0; second <= leaseMs / secondMs; second++) {
    seen.push(...(await round(other)))
    webhooks.clock.move(secondMs)
  }
  expect(seen).toEqual([first as number])
})

test("a rate is that of all nodes together", async () => {
  const [one, other] = await started({ rate: { messages: 30, per: "minute" } }, 20)
  const claimed: number[] = []
  for (let second = 0; second < 20; second++) {
    const numbers = [...(await round(second % 3 === 0 ? other : one)), ...(await round(other))]
    expect(numbers).toHaveLength(second % 2 === 0 ? 1 : 0)
    claimed.push(...numbers)
    answer(one)
    answer(other)
    webhooks.clock.move(secondMs)
  }
  expect(new Set(claimed).size).toBe(10)
})
