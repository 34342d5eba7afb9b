import { expect, test } from "bun:test"
import { hostileTexts } from "./shapes.ts"

// What counts is what the event loop computes, which a busy machine does not change. All two hundred shapes:
// bun test/faults/run.ts --only shapes

test("no text from outside holds the event loop longer than a harmless one", async () => {
  const missed = (await hostileTexts(50)).filter(({ passed }) => !passed)
  expect(missed).toEqual([])
})
