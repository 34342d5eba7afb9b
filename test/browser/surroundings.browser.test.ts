import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import type { BrowserContextOptions } from "playwright-core"
import { applyProjectChange } from "../../src/accounts/project.ts"
import type { ProjectChange } from "../../src/accounts/projects/record.ts"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// The widget goes by the page that it stands on: its theme, its language, its landmarks, its window, its address.

describeInBrowser("on a page", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let settings: string
  let pages = 0
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
    api = await apiOf(counter.service)
    settings = `/api/v1/projects/${counter.project.id}/widget-settings`
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const opener = (page: QuietPage) => page.locator("guichet-widget [part=button]")
  const dialog = (page: QuietPage) => page.locator("guichet-widget dialog")
  const field = (page: QuietPage) => page.locator("guichet-widget textarea")
  const change = (wanted: ProjectChange) =>
    applyProjectChange(counter.service.app.db, counter.project.id, wanted)

  async function visit(
    head: string,
    context: BrowserContextOptions = {},
    { widget = "", lang = "fr" } = {},
  ): Promise<QuietPage> {
    const policy = `default-src 'none'; script-src ${counter.service.url} 'nonce-page'; connect-src ${counter.service.url}; style-src 'nonce-page'`
    const body = "<header><p>Mairie</p></header><main><h1>Page</h1><p>Texte.</p></main>"
    const page = await browser.page(
      counter.page(`/autour-${++pages}`, body, { head, widget, lang, policy }),
      context,
    )
    return page
  }

  const style = (rules: string) => `<style nonce="page">${rules}</style>`
  const isDark = async (page: QuietPage) => {
    await opener(page).click()
    const paper = await dialog(page).evaluate((one) => getComputedStyle(one).backgroundColor)
    return paper !== "rgb(255, 255, 255)"
  }

  const meta = `<meta name="color-scheme" content="light">`
  const themes: [page: string, system: "light" | "dark", width: number, head: string, dark: boolean][] = [
    ["that says only light", "dark", 390, style(":root{color-scheme:only light}"), false],
    ["that says only light", "dark", 1280, style(":root{color-scheme:only light}"), false],
    ["that is light by its body", "dark", 1280, style("body{color-scheme:light}"), false],
    ["that is light by a meta element", "dark", 1280, meta, false],
    ["that is dark", "light", 390, style(":root{color-scheme:dark}"), true],
    ["of both themes", "dark", 390, style(":root{color-scheme:light dark}"), true],
    ["of both themes", "light", 1280, style(":root{color-scheme:light dark}"), false],
    ["that says nothing", "dark", 1280, "", true],
    ["that says nothing", "light", 390, "", false],
  ]
  test.each(themes)("%s, on a system that is %s (%d pixels)", async (_, colorScheme, width, head, dark) => {
    await using page = await visit(head, { colorScheme, viewport: { width, height: 800 } })
    expect(await isDark(page)).toBe(dark)
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(page.problems).toEqual([])
  })

  test("a theme that the page changes is followed, and the owner's choice or the tag's is stronger", async () => {
    await using page = await visit(style(":root{color-scheme:light}.dark{color-scheme:dark}"))
    expect(await isDark(page)).toBe(false)
    await page.keyboard.press("Escape")
    await page.evaluate(() => document.documentElement.classList.add("dark"))
    expect(await isDark(page)).toBe(true)
    await api.patch(settings, { theme: "light" })
    try {
      await using own = await visit(style(":root{color-scheme:dark}"))
      expect(await isDark(own)).toBe(false)
      await using tag = await visit("", {}, { widget: `data-theme="dark"` })
      expect(await isDark(tag)).toBe(true)
    } finally {
      await api.patch(settings, { theme: "site" })
    }
  })

  test("the button has its owner's words, and the language that the owner, the tag or the page says", async () => {
    await api.patch(settings, { button: "Une question ?", language: "en" })
    try {
      await using page = await visit("")
      await page.getByRole("button", { name: "Une question ?" }).click()
      await page.getByLabel("Your question").waitFor()
      await using tag = await visit("", {}, { widget: `data-language="fr"` })
      await opener(tag).click()
      await tag.getByLabel("Votre question").waitFor()
    } finally {
      await api.patch(settings, { button: null, language: null })
    }
    await change({ language: "en" })
    await using mute = await visit("", {}, { lang: "" })
    await mute.getByRole("button", { name: "Ask a question" }).waitFor()
    await using german = await visit("", {}, { lang: "de" })
    await german.getByRole("button", { name: "Ask a question" }).waitFor()
    await using french = await visit("", {}, { lang: "fr-CA" })
    await french.getByRole("button", { name: "Poser une question" }).waitFor()
    await change({ language: "fr" })
  })

  for (const width of [390, 1280])
    test(`the site is called by its owner's word, and a greeting is no failure (${width} pixels)`, async () => {
      await change({
        kind_word: "le guide du locataire",
        no_answer_more: "Voyez [le site](https://exemple.fr/).",
      })
      try {
        await using page = await visit("", { viewport: { width, height: 800 } })
        await opener(page).click()
        await page.getByRole("dialog", { name: "Questions sur le guide du locataire" }).waitFor()
        await page.getByText("produites automatiquement d’après le guide du locataire").waitFor()
        const status = page.locator("guichet-widget .status")
        const ask = async (question: string) => {
          const before = await page.locator("guichet-widget article").count()
          await field(page).fill(question)
          await page.keyboard.press("Enter")
          const article = page.locator("guichet-widget article").nth(before)
          await article.locator(".answer").first().waitFor()
          return article
        }
        const greeted = await ask("Bonjour !")
        expect(await greeted.textContent()).toContain(
          "Bonjour\u202f! Le guide du locataire ne répond pas à un",
        )
        expect(await greeted.getByRole("button").count()).toBe(0)
        expect(await status.textContent()).toBe("Réponse prête")
        const refused = await ask("Qui a peint la Joconde ?")
        expect(await refused.textContent()).toContain("Le guide du locataire ne répond pas à cette question.")
        expect(await refused.getByRole("link", { name: "le site" }).getAttribute("href")).toBe(
          "https://exemple.fr/",
        )
        expect(await status.textContent()).toBe("Aucune réponse trouvée")
        expect(await refused.getByRole("button").count()).toBe(0)
        // A conversation that is shown again on another page knows both, too.
        await page.reload()
        const again = page.locator("guichet-widget article")
        await again.nth(1).waitFor({ state: "attached" })
        expect(await again.first().locator("button").count()).toBe(0)
        expect(await again.nth(1).locator("button").count()).toBe(0)
      } finally {
        await change({ kind_word: "documentation", no_answer_more: null })
      }
    })

  test("an English page is refused in English, by a French project", async () => {
    await using page = await visit("", { locale: "fr-FR" }, { lang: "en" })
    await opener(page).click()
    await field(page).fill("Qui a peint la Joconde ?")
    await page.keyboard.press("Enter")
    await page.getByText("The documentation does not answer this question.").waitFor()
  })

  test("the panel is no second banner of the page", async () => {
    await using page = await visit("")
    await opener(page).click()
    await field(page).waitFor()
    expect(await page.getByRole("banner").count()).toBe(1)
  })

  // 640 × 400 is a window of 1,280 × 800 at 200 %, 320 × 256 one at 400 %.
  test.each([
    [640, [330, 360, 400, 440, 470]],
    [390, [340, 400, 460]],
    [320, [256, 320]],
  ])(
    "the focused field is in sight in a low window %d pixels wide, and not under the notice",
    async (width, heights) => {
      await using page = await visit("")
      await opener(page).click()
      const covered: number[] = []
      for (const height of heights) {
        await page.setViewportSize({ width, height })
        await page.getByRole("button", { name: "Fermer" }).focus()
        await dialog(page).evaluate((one) => one.scrollTo(0, 0))
        await field(page).focus()
        const isInSight = await field(page).evaluate((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect()
          const root = one.getRootNode() as ShadowRoot
          const at = [top + 4, bottom - 4].map((y) => root.elementFromPoint((left + right) / 2, y))
          return at.every((found) => found === one) && top >= 0 && bottom <= innerHeight
        })
        if (!isInSight) covered.push(height)
      }
      expect(covered).toEqual([])
    },
  )

  test("at an address that is not declared there is no button, and the console names it and the setting", async () => {
    const address = counter.page("/ailleurs").replace("127.0.0.1", "localhost")
    await using page = await browser.page("about:blank", {})
    const warnings: string[] = []
    page.on("console", (message) => {
      if (message.type() === "warning") warnings.push(message.text())
    })
    const warned = page.waitForEvent("console", (message) => message.type() === "warning")
    await page.goto(address)
    await warned
    expect(warnings).toEqual([`Guichet: no project "${counter.project.id}" for ${new URL(address).origin}`])
    await page.evaluate(() => (window.guichet as { open(): void }).open())
    expect(await page.locator("guichet-widget").count()).toBe(0)
  })

  test.each([
    ["is absent", 0],
    ["fails", 500],
    ["has too much to do", 429],
  ])("a service that %s keeps the button where it is", async (_, status) => {
    await using page = await browser.page("about:blank", {})
    await page.route("**/api/v1/projects/*/widget", (route) =>
      status === 0 ? route.abort() : route.fulfill({ status, body: "{}" }),
    )
    await page.goto(counter.page("/panne"))
    await opener(page).click()
    await page.getByRole("dialog", { name: "Assistant" }).waitFor()
  })
})
