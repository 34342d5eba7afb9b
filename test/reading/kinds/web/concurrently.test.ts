import { expect, test } from "bun:test"
import { concurrently } from "../../../../src/reading/kinds/web/concurrently.ts"

const nothingAborts = new AbortController().signal

test("no more than so many items are under way, and each is taken only when its turn comes", async () => {
  let taken = 0
  let running = 0
  let most = 0
  function* items() {
    for (; taken < 20; taken++) yield taken
  }
  const results: number[] = []
  const work = async (item: number) => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    return item
  }
  for await (const result of concurrently(items(), 3, work, nothingAborts)) {
    results.push(result)
    expect(taken).toBeLessThanOrEqual(results.length + 3)
  }
  expect(results.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 20 }, (_, index) => index),
  )
  expect(most).toBe(3)
})

test("whoever stops listening stops the work", async () => {
  const stopped: number[] = []
  const work = (item: number, signal: AbortSignal) =>
    new Promise<number>((done, fail) => {
      if (item === 0) return done(0)
      signal.addEventListener("abort", () => {
        stopped.push(item)
        fail(signal.reason)
      })
    })
  for await (const _ of concurrently([0, 1, 2, 3], 3, work, nothingAborts)) break
  expect(stopped).toEqual([1, 2])
})

test("the first rejection ends everything", async () => {
  const work = async (item: number) => {
    if (item === 2) throw new Error("two")
    return item
  }
  const read = Array.fromAsync(concurrently([1, 2, 3, 4, 5, 6, 7, 8], 2, work, nothingAborts))
  await expect(read).rejects.toThrow("two")
})

test("giving way begins nothing more, and yields what was under way before it ends with its reason", async () => {
  const giveWay = new AbortController()
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    if (item === 1) giveWay.abort(new Error("others wait"))
    await Bun.sleep(item)
    // Work that only waited gives way itself.
    if (item === 2) giveWay.signal.throwIfAborted()
    return item
  }
  const results: number[] = []
  const read = async () => {
    for await (const result of concurrently([0, 2, 3, 1, 4, 5], 4, work, nothingAborts, giveWay.signal))
      results.push(result)
  }
  await expect(read()).rejects.toThrow("others wait")
  expect(begun).toEqual([0, 2, 3, 1])
  expect(results.toSorted((one, other) => one - other)).toEqual([0, 1, 3])
})
