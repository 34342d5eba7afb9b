import { expect, test } from "bun:test"
import { describeInBrowser, startBrowser } from "../support/browser.ts"
import { aService } from "../support/service-builder.ts"
import { shortWay } from "../support/short-way.ts"

describeInBrowser("the shortest way of an owner", () => {
  test("leads from a first start to an owner's own answer by no more clicks than these", async () => {
    await using first = await aService().withOwner().started()
    await using browser = await startBrowser()
    await using owner = await browser.page("about:blank", {})
    await using visitor = await browser.page("about:blank", {})
    const way = await shortWay(first, { owner, visitor })
    const clicks = Object.entries(way).map(([stage, { owner, visitor }]) => [
      stage,
      owner.clicks,
      visitor.clicks,
    ])
    expect(clicks).toEqual([
      ["read", 2, 0],
      ["tried", 1, 0],
      ["answered", 1, 2],
      ["form", 3, 1],
      ["delivered", 1, 1],
      ["chosen", 3, 3],
    ])
    expect(owner.problems).toEqual([])
    // The site of the test has no icon.
    expect(visitor.problems.filter((problem) => !problem.includes("404"))).toEqual([])
    const { db } = first.service.app
    const given = await db
      .selectFrom("answer")
      .select("chosen_id")
      .where("chosen_id", "is not", null)
      .execute()
    expect(given).toHaveLength(1)
  })
})
