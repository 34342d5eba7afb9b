import { expect, test } from "bun:test"
import { hostilePages, mostTimes } from "../../support/hostile-pages.ts"
import { hostileReadings, unboundedOf } from "../../support/hostile-readings.ts"

test("a page made to wear the reader out is read in time and to a size that grow with its length", async () => {
  const readings = await hostileReadings()
  expect(unboundedOf(readings, mostTimes)).toEqual([])
  const shapes = hostilePages().map(({ name }) => name)
  expect(new Set(shapes).size).toBeGreaterThan(200)
  for (const kinds of [[".md", ".mdx"], [".html"]])
    expect(new Set(readings.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name))).toEqual(
      new Set(shapes),
    )
})
