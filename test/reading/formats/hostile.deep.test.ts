import { expect, test } from "bun:test"
import { hostilePages, mostTimes } from "../../support/hostile-pages.ts"
import { hostileReadings, unboundedOf } from "../../support/hostile-readings.ts"

test.each(["markdown", "html", "grav"] as const)(
  "a page of %s made to wear the reader out is read in time and to a size that grow with its length",
  async (format) => {
    const readings = await hostileReadings(1, format)
    expect(unboundedOf(readings, mostTimes)).toEqual([])
    const shapes = hostilePages().map(({ name }) => name)
    expect(shapes.length).toBeGreaterThan(200)
    const read = new Set(readings.map(({ name }) => name))
    if (format === "grav") expect(read.size).toBeGreaterThan(20)
    else expect(read).toEqual(new Set(shapes))
  },
)
