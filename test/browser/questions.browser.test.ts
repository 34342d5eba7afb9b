import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import { storeAnswer } from "../../src/answering/ask/store-answer.ts"
import { answerable, foreign, type Site } from "../support/ask.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"

// Issue K, point 8, in a real browser.

describeInBrowser("the pages about questions", () => {
  let site: Site
  let browser: TestBrowser
  let cookie: { name: string; value: string; url: string }
  let path: string
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([aService().withIndexedProject().started(), startBrowser()])
    const { cookie: text } = await signedIn(site.service)
    const [name = "", value = ""] = text.split("=")
    cookie = { name, value, url: site.service.url }
    path = `${site.service.url}/console/projects/${site.project.id}/questions`
    const first = (await site.ask({ page: "/guide" })).body.id
    await site.ask({ question: "et en Python ?", previous: [first], page: "/guide" })
    await site.ask({ question: foreign, page: "/ailleurs" })
    const result = { status: "no_answer" as const, answer: "Rien.", sources: [] }
    const kept = { projectId: site.project.id, page: undefined, generation: 0, cacheKey: null, result }
    const question = "Comment vérifier le tampon d’un webhook ?"
    await storeAnswer(site.service.app.db, { ...kept, question }, site.clock.now())
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  async function open(address: string, context = {}): Promise<QuietPage> {
    const page = await browser.page("about:blank", context)
    await page.context().addCookies([cookie])
    await page.goto(address)
    return page
  }

  test("on a phone questions are read in full, with what became of them", async () => {
    const phone = { viewport: { width: 390, height: 844 } }
    const long = "Comment vérifier le tampon d’un webhook ?"
    for (const address of [path, `${path}/gaps`]) {
      await using page = await open(address, phone)
      const row = page.locator(".rows > li", { hasText: long })
      const inside = await row.locator("strong").evaluate((text) => {
        const box = (element: Element) => element.getBoundingClientRect()
        const [own, whole] = [box(text), box(text.closest("li") as Element)]
        const shown = getComputedStyle(text.closest(".alone, div") as Element)
        return { fits: own.right <= whole.right, wraps: shown.whiteSpace, cut: shown.overflow }
      })
      expect([address, inside]).toEqual([address, { fits: true, wraps: "normal", cut: "visible" }])
      if (address !== path) continue
      const tag = await row.getByText("sans réponse", { exact: true }).boundingBox()
      expect((tag?.x ?? 390) + (tag?.width ?? 0)).toBeLessThan(390)
    }
    await using page = await open(`${site.service.url}/console/journal`, phone)
    const cut = await page
      .locator(".whole")
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length)
    expect([await page.locator(".whole").count(), cut]).toEqual([expect.any(Number), 0])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test("a period and a page apply as soon as they are chosen; without scripts, their button does it", async () => {
    {
      await using page = await open(path)
      await page.getByLabel("Page du site").selectOption("/ailleurs")
      await page.waitForURL(/page=%2Failleurs/)
      expect(await page.getByRole("button", { name: "Afficher" }).isVisible()).toBe(false)
      expect(await page.locator("#asked").locator("..").innerText()).not.toContain(answerable)
    }
    await using page = await open(path, { javaScriptEnabled: false })
    await page.getByLabel("Page du site").selectOption("/ailleurs")
    await page.getByRole("button", { name: "Afficher" }).click()
    await page.waitForURL(/page=%2Failleurs/)
  })

  test("a gap becomes a chosen answer in two clicks and a few words, which visitors get", async () => {
    await using page = await open(`${path}/gaps`)
    await page.getByRole("link", { name: /^Écrire la réponse.*tampon/ }).click()
    await page.getByLabel("Réponse", { exact: true }).fill("Comparez-le à la signature.")
    await page.getByRole("checkbox").first().check()
    await page.getByRole("button", { name: "Enregistrer" }).click()
    await page.getByText("La réponse est enregistrée").waitFor()
    const { body } = await site.ask({ question: "vérifier le tampon d’un webhook" })
    expect(body.answer).toBe("Comparez-le à la signature. [^1]")
  })

  const looks = [
    ["at 1280 pixels", { viewport: { width: 1280, height: 800 } }],
    ["at 320 pixels, dark", { viewport: { width: 320, height: 640 }, colorScheme: "dark" }],
  ] as const
  test.each(looks)("axe finds nothing, and nothing is wider than the window, %s", async (_, context) => {
    for (const tab of ["", "/gaps", "/gaps?state=treated", "/chosen", "/chosen/new", "/evaluation"]) {
      await using page = await open(`${path}${tab}`, context)
      await page.evaluate(axe.source)
      const found = await page.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
        const wide = document.documentElement.scrollWidth > innerWidth ? ["scrolls sideways"] : []
        return [...wide, ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`)]
      })
      expect({ tab, found }).toEqual({ tab, found: [] })
    }
  })
})
