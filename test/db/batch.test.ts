import { expect, test } from "bun:test"
import { openBatch, openBatches, type Settled } from "../../src/db/batch.ts"

/** Doubles numbers, and notes what came together. */
function doubling(fails: (items: readonly number[]) => unknown = () => undefined) {
  const batches: (readonly number[])[] = []
  const run = async (items: readonly number[]): Promise<Settled<number>[]> => {
    batches.push(items)
    await Bun.sleep(1)
    const failure = fails(items)
    if (failure) throw failure
    return items.map((item) => (item < 0 ? { error: new Error(`${item}`) } : { result: 2 * item }))
  }
  return { batches, run }
}

test("what comes while a batch is under way goes together, in order, and each caller gets its own end", async () => {
  const { batches, run } = doubling()
  const double = openBatch(run)
  const first = double(1)
  while (batches.length === 0) await Bun.sleep(0)
  const later = [2, -3, 4].map((item) => double(item).catch((error: Error) => error.message))
  expect(await first).toBe(2)
  expect(await Promise.all(later)).toEqual([4, "-3", 8])
  expect(batches).toEqual([[1], [2, -3, 4]])
  expect(await double(5)).toBe(10)
})

test("after a batch, callers that come one by one within the pause share the next one", async () => {
  const { batches, run } = doubling()
  const double = openBatch(run, { pauseMs: 200 })
  expect(await double(1)).toBe(2)
  const second = double(2)
  await Bun.sleep(1)
  expect(await Promise.all([second, double(3)])).toEqual([4, 6])
  expect(batches).toEqual([[1], [2, 3]])
})

test("keys have batches of their own", async () => {
  const { batches, run } = doubling()
  const double = openBatches(run, (item: number) => (item % 2 === 0 ? "even" : "odd"))
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(batches).toEqual([
    [1, 3],
    [2, 4],
  ])
})

test("a member that makes the whole batch fail fails alone", async () => {
  const unique = Object.assign(new Error("duplicate key"), { errno: "23505" })
  const { batches, run } = doubling((items) => items.includes(2) && unique)
  const double = openBatch(run)
  const ended = await Promise.allSettled([1, 2, 3].map(double))
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]])
})

test("a batch whose connection broke may be stored: nobody in it is tried again", async () => {
  const lost = Object.assign(new Error("closed"), { code: "ERR_POSTGRES_CONNECTION_CLOSED" })
  const { batches, run } = doubling(() => lost)
  const ended = await Promise.allSettled([1, 2].map(openBatch(run)))
  expect(ended).toEqual([1, 2].map(() => ({ status: "rejected", reason: lost })))
  expect(batches).toHaveLength(1)
})

test("a batch that waited in vain for another process to write is over for all: nobody waits as long again", async () => {
  const busy = Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY", errno: 5 })
  const { batches, run } = doubling(() => busy)
  const ended = await Promise.allSettled([1, 2].map(openBatch(run)))
  expect(ended).toEqual([1, 2].map(() => ({ status: "rejected", reason: busy })))
  expect(batches).toEqual([[1, 2]])
})
