import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { openPreview } from "../support/console-pages.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// Where the owner wants it, the panel begins with a search of pages, which are found while the visitor types.

const guide = `# Installer le produit

## Installer sous Debian

Copiez le paquet, puis installez-le.

## Mettre à jour

Installez le nouveau paquet de la même façon.
`

describeInBrowser("the search of the panel", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let settings: string
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([
      aService().withWebsite({}, { installer: guide }).started(),
      startBrowser(),
    ])
    api = await apiOf(counter.service)
    settings = `/api/v1/projects/${counter.project.id}/widget-settings`
    await api.patch(settings, { search: true })
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const field = (page: QuietPage) => page.getByRole("combobox", { name: "Rechercher une page" })
  const options = (page: QuietPage) => page.getByRole("option")
  const active = (page: QuietPage) => page.locator("guichet-widget [role=option][aria-selected=true]")

  async function opened(path: string, options?: Parameters<TestBrowser["page"]>[1]): Promise<QuietPage> {
    const page = await browser.page(counter.page(path), options)
    await page.getByRole("button", { name: "Poser une question" }).click()
    await field(page).waitFor()
    return page
  }

  async function expectNothing(page: QuietPage): Promise<void> {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  }

  test("finds pages and sections while one types, and Enter opens the chosen one", async () => {
    await using page = await opened("/search-found")
    await expectNothing(page)
    await page.keyboard.insertText("instaler")
    await options(page).filter({ hasText: "Installer le produit" }).waitFor()
    expect(await page.getByRole("group", { name: "Installer le produit" }).count()).toBe(1)
    await page.getByText("page trouvée").waitFor()
    expect(await active(page).textContent()).toBe("Installer le produit")
    expect(await active(page).locator("mark").textContent()).toBe("Installer")
    await expectNothing(page)
    await page.keyboard.press("ArrowDown")
    expect(await active(page).textContent()).toBe("Installer sous Debian")
    expect(await field(page).getAttribute("aria-activedescendant")).toBe(
      (await active(page).getAttribute("id")) as string,
    )
    await page.keyboard.press("Enter")
    await page.waitForURL(`${counter.site}/installer#installer-sous-debian`)
  })

  test("the last choice asks the assistant, and a new conversation begins with the search again", async () => {
    await using page = await opened("/search-ask")
    await page.keyboard.insertText("Comment réinitialiser mon mot de passe ?")
    await page.getByText(/pages? trouvées?$/).waitFor()
    expect(await active(page).textContent()).toBe(
      "Demander à l’assistant\u00a0: Comment réinitialiser mon mot de passe ?",
    )
    await page.keyboard.press("ArrowDown")
    expect(await active(page).textContent()).not.toContain("Demander")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await page.locator("guichet-widget p[role=status]").filter({ hasText: "Réponse prête" }).waitFor()
    expect(await field(page).isVisible()).toBe(false)
    await expectNothing(page)
    await page.getByRole("button", { name: "Nouvelle conversation" }).click()
    expect(await field(page).evaluate((one) => one.matches(":focus"))).toBe(true)
    expect(await field(page).inputValue()).toBe("")
  })

  test("a search that goes on when the assistant is asked says nothing any more", async () => {
    await using page = await opened("/search-asked-at-once")
    const { promise: asked, resolve: release } = Promise.withResolvers<void>()
    await page.route("**/api/v1/search", async (route) => {
      await asked
      await route.continue()
    })
    const searched = page.waitForRequest("**/api/v1/search")
    await page.keyboard.insertText("installer")
    const request = await searched
    await options(page).last().click()
    release()
    // A reply to what nobody waits for is broken off, or comes and is dropped.
    await request.response().catch(() => {})
    await page.getByRole("button", { name: "Nouvelle conversation" }).click()
    await field(page).waitFor()
    expect(await page.locator("guichet-widget .count").textContent()).toBe("")
  })

  test("Enter before the reply opens the best page once it comes; an earlier reply is dropped", async () => {
    await using page = await opened("/search-fast")
    await page.keyboard.type("fact")
    await page.keyboard.press("Backspace")
    await page.keyboard.type("tures")
    await field(page).fill("installer")
    await page.keyboard.press("Enter")
    await page.waitForURL(`${counter.site}/installer`)
  })

  test("Ctrl + K opens it, unless a field of the page has the focus, and no key alone does (RGAA 12.10); Escape closes it", async () => {
    const body = '<main><h1>Page</h1><label>Nom <input id="name"></label></main>'
    await using page = await browser.page(counter.page("/search-keys", body))
    const dialog = page.getByRole("dialog")
    await page.locator("guichet-widget").waitFor({ state: "attached" })
    await page.locator("#name").focus()
    await page.keyboard.type("a/b")
    await page.keyboard.press("Control+k")
    expect(await page.locator("#name").inputValue()).toBe("a/b")
    expect(await dialog.isVisible()).toBe(false)
    await page.locator("#name").blur()
    for (const key of ["/", "k", "K", "?"]) await page.keyboard.press(key)
    expect(await dialog.isVisible()).toBe(false)
    await page.keyboard.press("Control+k")
    await dialog.waitFor()
    await field(page).waitFor()
    expect(await field(page).evaluate((one) => one.matches(":focus"))).toBe(true)
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
  })

  test("tells a refusal in the service's words, and what it is when nothing is found or nothing replies", async () => {
    await using page = await opened("/search-none")
    await page.keyboard.insertText("xyzzyq")
    await page.getByText("Aucune page trouvée").waitFor()
    expect(await options(page).count()).toBe(1)
    const refusal = { error: { code: "rate_limited", message: "Trop de recherches en peu de temps." } }
    await page.route("**/api/v1/search", (route) => route.fulfill({ status: 429, json: refusal }))
    await field(page).fill("installer")
    await page.getByText("Trop de recherches en peu de temps.").waitFor()
    await page.unroute("**/api/v1/search")
    await page.route("**/api/v1/search", (route) => route.abort())
    await field(page).fill("installe")
    await page.getByText("La recherche ne répond pas.").waitFor()
    expect(await options(page).count()).toBe(1)
  })

  test("stays in a window of 320 pixels, in the dark, with nothing for axe to say", async () => {
    await using page = await opened("/search-narrow", {
      viewport: { width: 320, height: 640 },
      colorScheme: "dark",
    })
    await page.keyboard.insertText("installer")
    await options(page).filter({ hasText: "Installer le produit" }).waitFor()
    await expectNothing(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(320)
    const list = page.getByRole("listbox")
    expect(await list.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
  })

  test("without the script that does it, the panel is as it was", async () => {
    await using page = await browser.page(counter.page("/search-blocked"))
    await page.route("**/search/*.js", (route) => route.abort())
    await page.getByRole("button", { name: "Poser une question" }).click()
    await page.getByRole("textbox", { name: "Votre question" }).waitFor()
  })

  test("is shown by the preview of the console as soon as it is ticked", async () => {
    await api.patch(settings, { search: false })
    await using page = await openPreview(browser, counter)
    const { preview } = page
    await page.getByLabel("Commencer par une recherche de pages").check()
    await preview.getByRole("combobox").fill("page")
    await preview.getByRole("option", { name: "Une page de votre site" }).waitFor()
    expect(page.problems).toEqual([])
    await api.patch(settings, { search: true })
  })

  test("is not there unless the owner wants it", async () => {
    await api.patch(settings, { search: false })
    await using page = await browser.page(counter.page("/search-off"), {})
    await page.keyboard.press("Control+k")
    await page.getByRole("button", { name: "Poser une question" }).click()
    await page.getByRole("textbox", { name: "Votre question" }).waitFor()
    expect(await page.locator("guichet-widget .search").count()).toBe(0)
    await api.patch(settings, { search: true })
  })
})
