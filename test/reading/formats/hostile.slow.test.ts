import { expect, test } from "bun:test"
import { mostTimes } from "../../support/hostile-pages.ts"
import { hostileReadings, unboundedOf } from "../../support/hostile-readings.ts"

test("a few pages made to wear the reader out are read in time; hostile.deep.test.ts reads all of them", async () => {
  const readings = await hostileReadings(64)
  expect(readings.length).toBeGreaterThan(5)
  expect(unboundedOf(readings, mostTimes)).toEqual([])
})
