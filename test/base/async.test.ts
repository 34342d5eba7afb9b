import { expect, test } from "bun:test"
import { openSemaphore, ownTick, sleep, withTimeout } from "../../src/base/async.ts"

test("as many as may work at one time do, the others follow in order, and failures give their place on", async () => {
  const { run } = openSemaphore(2)
  const begun: number[] = []
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const results = works.map(({ promise }, at) =>
    run(() => {
      begun.push(at)
      return promise
    }).catch((error: Error) => error.message),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  works[1]?.reject(new Error("failed"))
  expect(await results[1]).toBe("failed")
  expect(begun).toEqual([0, 1, 2])
  for (const [at, { resolve }] of works.entries()) resolve(at)
  expect(await Promise.all(results)).toEqual([0, "failed", 2, 3, 4])
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

test("a place is given in order of arrival, released once, and its line is left by who gives up", async () => {
  const places = openSemaphore(1)
  const counts = () => ({ running: places.running(), waiting: places.waiting() })
  const release = await places.acquire()
  const impatient = new AbortController()
  const givenUp = places.acquire(impatient.signal)
  const next = places.acquire(new AbortController().signal)
  impatient.abort(new Error("left"))
  await expect(givenUp).rejects.toThrow("left")
  await expect(places.acquire(impatient.signal)).rejects.toThrow("left")
  expect(counts()).toEqual({ running: 1, waiting: 1 })
  release()
  release()
  const releaseNext = await next
  expect(counts()).toEqual({ running: 1, waiting: 0 })
  releaseNext()
  expect(counts()).toEqual({ running: 0, waiting: 0 })
})

test("a task may go to the front of the line", async () => {
  const places = openSemaphore(1)
  const order: string[] = []
  const task = (name: string) => async () => void order.push(name)
  const release = await places.acquire()
  const all = [places.run(task("second")), places.run(task("third")), places.run(task("first"), true)]
  release()
  await Promise.all(all)
  expect(order).toEqual(["first", "second", "third"])
})

test("work that takes too long is left behind, whatever becomes of it", async () => {
  const late = () => new Error("too late")
  expect(await withTimeout(Promise.resolve(1), 1000, late)).toBe(1)
  const { promise, reject } = Promise.withResolvers<void>()
  await expect(withTimeout(promise, 1, late)).rejects.toThrow("too late")
  const caller = new AbortController()
  const abandoned = withTimeout(promise, 60_000, late, caller.signal)
  caller.abort(new Error("gone"))
  await expect(abandoned).rejects.toThrow("gone")
  await expect(withTimeout(promise, 60_000, late, caller.signal)).rejects.toThrow("gone")
  await sleep(5, new AbortController().signal)
  reject(new Error("nobody listens"))
})

test("a pause ends when its signal is aborted, with the signal's reason", async () => {
  const caller = new AbortController()
  const pause = sleep(60_000, caller.signal)
  caller.abort(new Error("gone"))
  await expect(pause).rejects.toThrow("gone")
  await expect(sleep(60_000, caller.signal)).rejects.toThrow("gone")
})

test("steps of a crowd have a tick of the event loop each, and other work comes in between", async () => {
  const order: string[] = []
  const steps = Array.from({ length: 5 }, async () => {
    for (let step = 0; step < 2; step++) {
      await ownTick()
      order.push("step")
    }
  })
  const others = (async () => {
    while (order.filter((what) => what === "step").length < 10) {
      order.push("others")
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  await Promise.all([...steps, others])
  expect(order.join(" ")).not.toContain("step step")
})
