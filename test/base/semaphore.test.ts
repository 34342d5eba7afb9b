import { expect, test } from "bun:test"
import { openSemaphore } from "../../src/base/semaphore.ts"

test("as many as may work at one time do, the others follow in order, and failures give their turn on", async () => {
  const inTurn = openSemaphore(2)
  const begun: number[] = []
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const results = works.map(({ promise }, at) =>
    inTurn(() => {
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
