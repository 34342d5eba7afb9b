import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Agency } from "../support/agency.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { everyConsolePage, signIn } from "../support/console-pages.ts"
import { focusedOutOfSight } from "../support/out-of-sight.ts"
import { aService } from "../support/service-builder.ts"
import { touching } from "../support/touching.ts"

// Every page of the console, as an agency has it after a month: by daylight and at night, on a desk and on a phone.

/** HTML before compression. The reference of the API is one long page, and none of the console. */
const maxBytes = 100_000

/** Two lines, and the space around them. */
const maxRowPx = 72

/** Pages that the walk must reach, or it proves nothing. */
const some = ["", "/:id", "/:id/questions", "/:id/messages", "/:id/forms/new", "/:id/forms/:id/responses/:id"]
const known = [
  ...some.map((rest) => `/console/projects${rest}`),
  ...["/questions/gaps", "/questions/chosen/:id", "/questions/evaluation"].map(
    (rest) => `/console/projects/:id${rest}`,
  ),
  "/console/webhooks/:id/requests",
  "/console/deliveries/:id",
  "/console/journal",
]

describeInBrowser("every page of the console", () => {
  let agency: Agency
  let browser: TestBrowser
  beforeAll(async () => {
    ;[agency, browser] = await Promise.all([aService().withAgency().started(), startBrowser()])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await agency[Symbol.asyncDispose]()
  })

  async function visit(
    width: number,
    colorScheme: "light" | "dark",
    look: Parameters<typeof everyConsolePage>[3],
  ): Promise<void> {
    // A window of 1280×800 that is enlarged twice has 640×400.
    const viewport = { width, height: width === 640 ? 400 : 900 }
    await using page = await browser.page("about:blank", { colorScheme, viewport })
    await signIn(page, agency)
    const seen = new Set<string>()
    await everyConsolePage(page, agency, agency.projects[0]?.id ?? "", async (visited) => {
      seen.add(visited.pattern)
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      const { pattern } = visited
      // Before `look`: axe-core itself tries a style that the page's policy forbids.
      expect({ pattern, over, problems: page.problems.splice(0) }).toEqual({ pattern, over: 0, problems: [] })
      await look(visited, page)
      page.problems.splice(0)
    })
    expect(known.filter((pattern) => !seen.has(pattern))).toEqual([])
  }

  test.each([
    [1280, "light"],
    [1280, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const)("pleases axe-core and is light, %d pixels wide, %s", (width, colorScheme) =>
    visit(width, colorScheme, async ({ pattern, bytes }, page) => {
      if (pattern.startsWith("/console"))
        expect([pattern, bytes]).toEqual([pattern, Math.min(bytes, maxBytes)])
      await expectNothing(page, pattern)
    }),
  )

  test("folds the rows of its lists into two lines on a phone, but for what is read in full: questions, audit log", () =>
    visit(390, "light", async ({ pattern }, page) => {
      const heights = await page
        .locator(".dense tbody tr:not(:has(.detail, .whole))")
        .evaluateAll((rows) =>
          rows.filter((row) => !row.querySelector("[open]")).map((row) => row.clientHeight),
        )
      const high = heights.filter((height) => height > maxRowPx)
      expect({ pattern, high }).toEqual({ pattern, high: [] })
    }))

  test("fits into 320 pixels, and no words stand on the card or the button below them", () =>
    visit(320, "light", async ({ pattern }, page) => {
      expect({ pattern, touching: await page.evaluate(touching) }).toEqual({ pattern, touching: [] })
    }))

  test("enlarged twice in a low window, every control that has the focus is in sight", () =>
    visit(640, "light", async ({ pattern }, page) => {
      expect({ pattern, hidden: await page.evaluate(focusedOutOfSight) }).toEqual({ pattern, hidden: [] })
    }))

  test("a chart tells the figures of one bar: the pointer's, or the one that the arrow keys are at", async () => {
    await using page = await browser.page("about:blank", {})
    await signIn(page, agency)
    await page.goto(`${agency.service.url}/console/projects/${agency.projects[0]?.id}`)
    const chart = page.locator(".chart").first()
    const told = chart.locator(".tip").filter({ visible: true })
    expect(await told.count()).toBe(0)
    const points = chart.locator(".point")
    const last = (await points.count()) - 1
    await points.nth(last).focus()
    const today = await told.textContent()
    await page.keyboard.press("ArrowLeft")
    const yesterday = await told.textContent()
    expect(yesterday).not.toBe(today)
    const rows = (await chart.locator("tbody tr").allTextContents()).slice(-2)
    const [day = "", figures = ""] = yesterday?.split("\u00a0: ") ?? []
    expect(rows[0]).toStartWith(day)
    expect(rows[0]?.replace(/\D/g, "")).toBe(`${day}${figures}`.replace(/\D/g, ""))
    await points.first().locator("rect").last().hover()
    expect(await told.count()).toBe(1)
    expect(await told.textContent()).not.toBe(yesterday)
  })
})
