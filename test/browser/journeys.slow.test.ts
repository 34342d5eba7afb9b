import { afterAll, beforeAll, expect, test } from "bun:test"
import type { BrowserContextOptions, Page } from "playwright-core"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { type Hand, keyboard, mouse } from "../support/hand.ts"
import { journey } from "../support/journey.ts"
import { aService } from "../support/service-builder.ts"
import { faultsOf } from "../support/sound.ts"

describeInBrowser("an owner's way through the console", () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  const looks: [name: string, options: BrowserContextOptions, hand: (page: Page) => Hand][] = [
    [
      "on a wide screen, light",
      { colorScheme: "light", viewport: { width: 1200, height: 800 } },
      () => mouse,
    ],
    [
      "by keyboard alone at 320 pixels, dark",
      { colorScheme: "dark", viewport: { width: 320, height: 640 } },
      keyboard,
    ],
  ]

  test.each(looks)(
    "from the first start of an empty service to the first answered question and the first delivered webhook, nothing on any page in anybody's way, %s",
    async (_, options, hand) => {
      await using first = await aService().withOwner().started()
      await using page = await browser.page("about:blank", options)
      const found: string[] = []
      await journey(first, page, hand(page), async (name) => {
        for (const fault of await faultsOf(page)) found.push(`${name}: ${fault}`)
      })
      expect(found).toEqual([])
      // The pages that refuse are answered 400 to 409, which Chromium tells of in its console.
      expect(page.problems.filter((problem) => !/status of (400|401|404|409)/.test(problem))).toEqual([])
      const { db } = first.service.app
      expect(await db.selectFrom("answer").select("status").where("page", "=", "/contact").execute()).toEqual(
        [{ status: "answered" }],
      )
      const ids = first.receiver.received.map(({ headers }) => headers.get("webhook-id"))
      expect(ids).toHaveLength(2)
      expect(ids[0]).toBe(ids[1] as string)
    },
  )
})
