import { expect, test } from "bun:test"
import { describeInBrowser, startBrowser } from "../support/browser.ts"
import { aService } from "../support/service-builder.ts"
import { surface } from "../support/surface.ts"

/** Counted in the same way at commit 5f940d96, when the menu of an only project had 13 entries. */
const before = {
  home: 30,
  questions: 21,
  messages: 25,
  builder: 77,
  documentation: 49,
  appearance: 33,
  settings: 42,
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, each) => total + each, 0)

describeInBrowser("what an owner of one project sees", () => {
  test("has at most half the links, buttons and fields that it had", async () => {
    await using counter = await aService().withWebsite().started()
    await using browser = await startBrowser()
    const counts = await surface(browser, counter)
    expect({ counts, total: Math.min(sum(counts), sum(before) / 2) }).toEqual({ counts, total: sum(counts) })
  })
})
