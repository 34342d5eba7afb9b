import { expect, test } from "bun:test"
import { resolve } from "node:path"
import { minuteMs } from "../src/base/clock.ts"
import { type Expression, expressionsIn } from "./support/regex/expressions.ts"
import { faultsOf } from "./support/regex/faults.ts"

const source = resolve(import.meta.dir, "../src")
/** The judge takes some seven minutes for all of them, and longer beside other tests. */
const maxJudgingMs = 30 * minuteMs

/**
 * Whatever meets a text from outside takes a time that grows with its length and not with a square of it. At
 * most five expressions are excepted, each with the bound of its input, which stands in the code before the
 * expression is run.
 */
const exceptions: { file: string; source: string; bound: string }[] = []

test(
  "every regular expression is linear",
  async () => {
    const { constant } = await expressionsIn(source)
    expect(constant.length).toBeGreaterThan(400)
    const faults = await faultsOf(constant.filter((expression) => !isExcepted(expression)))
    expect(faults).toEqual([])
  },
  maxJudgingMs,
)

test("at most five are excepted, and each of them needs it", async () => {
  const { constant } = await expressionsIn(source)
  const excepted = constant.filter(isExcepted)
  expect(exceptions.length).toBeLessThanOrEqual(5)
  expect(excepted).toHaveLength(exceptions.length)
  expect(await faultsOf(excepted)).toHaveLength(exceptions.length)
})

function isExcepted({ place, source }: Expression): boolean {
  return exceptions.some((one) => place.startsWith(`${one.file}:`) && one.source === source)
}
