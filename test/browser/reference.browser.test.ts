import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { apiOf } from "../support/api.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { signIn } from "../support/console-pages.ts"
import { contact, type FormSite } from "../support/forms.ts"
import { aService } from "../support/service-builder.ts"

describeInBrowser("the reference of the API", () => {
  let browser: TestBrowser
  let forms: FormSite
  let address: string
  beforeAll(async () => {
    ;[forms, browser] = await Promise.all([aService().withForms().started(), startBrowser()])
    address = `${forms.service.url}/api/v1/docs`
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await forms[Symbol.asyncDispose]()
  })

  test("its search finds words of the menu, titles, addresses and fields on every page", async () => {
    await using page = await browser.page(address)
    const entries = async (typed: string) => {
      await page.getByRole("searchbox").fill(typed)
      return page.locator("nav a:visible").allTextContents()
    }
    const all = (await entries("")).length
    for (const [typed, expected] of [
      ["relever", "suivent un curseur"],
      ["données d'une personne", "Efface"],
      ["EFFACE TOUT", "Efface"],
      ["l'en-tête", "Poser une question"],
      ["retention_days", "Ajoute un formulaire"],
      ["gabarit introuvable", undefined],
    ] as const) {
      const found = await entries(typed)
      expect([typed, found.length < 100, found.some((text) => expected && text.includes(expected))]).toEqual([
        typed,
        true,
        expected !== undefined,
      ])
    }
    expect((await entries("")).length).toBe(all)
    expect(await page.getByRole("link", { name: "Revenir à la console" }).getAttribute("href")).toBe(
      "/console",
    )
    await page.goto(`${address}/tokens`)
    expect((await entries("retention_days")).join()).toContain("Ajoute un formulaire")
    expect(page.problems).toEqual([])
  })

  test("an example is copied by its button, and without a script there is none", async () => {
    await using page = await browser.page(`${address}/forms`, {
      permissions: ["clipboard-read", "clipboard-write"],
    })
    const first = page.locator("#postForms")
    expect(await first.locator("figure:visible figcaption").allTextContents()).toEqual([
      "Requête",
      "Réponse 201",
    ])
    await first.getByRole("button", { name: "Copier" }).first().click()
    await first.getByRole("button", { name: "Copié" }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toStartWith(`curl -X POST '${forms.service.app.config.publicUrl}/api/v1/forms'`)
    await page.getByLabel("JavaScript").check()
    expect(await first.locator("figure:visible code").first().textContent()).toStartWith(
      "const response = await fetch(",
    )
    await using still = await browser.page(`${address}/forms`, { javaScriptEnabled: false })
    expect(await still.getByRole("button").count()).toBe(0)
    expect(await still.getByRole("searchbox").count()).toBe(0)
    expect(await still.getByText("Ajoute un formulaire").last().isVisible()).toBe(true)
    expect([...page.problems, ...still.problems]).toEqual([])
  })

  test("a link to the page that was all of it leads to the operation's place, and on to its page", async () => {
    await using page = await browser.page(`${address}#postForms`)
    const entry = page.locator("#postForms")
    await entry.waitFor()
    expect(await entry.evaluate((item) => item.getBoundingClientRect().top < innerHeight)).toBe(true)
    await entry.getByRole("link").click()
    await page.waitForURL(/docs\/forms#postForms$/)
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Formulaires")
  })

  test("the examples of who is signed in hold his ids, and those of another project where he asks for it", async () => {
    const api = await apiOf(forms.service)
    const made = async (project: string) =>
      (await api.post("/api/v1/forms", { ...contact, project })).body.id as string
    const own = await made(forms.projectId)
    const other = (await api.post("/api/v1/projects", { name: "Zèbre", site: "https://zebre.fr" })).body.id
    const form = await made(other)
    await using page = await browser.page(address, {})
    await signIn(page, forms.service)
    await page.goto(`${address}/forms`)
    expect(await page.locator("#getFormsById figure").first().textContent()).toContain(own)
    await page.getByText("Prendre un autre projet").click()
    await page.getByRole("link", { name: "Zèbre" }).click()
    await page.getByText("identifiants de votre projet Zèbre").waitFor()
    expect(await page.locator("#getFormsById figure").first().textContent()).toContain(form)
    await page.getByText("Synonymes", { exact: true }).click()
    await page.getByRole("link", { name: "Liste les groupes de synonymes" }).click()
    await page.waitForURL(/docs\/synonyms/)
    expect(await page.locator("#getProjectsByIdSynonyms figure").first().textContent()).toContain(other)
  })

  for (const [name, context] of [
    ["light, wide", { colorScheme: "light", viewport: { width: 1280, height: 900 } }],
    ["dark, at 320 pixels", { colorScheme: "dark", viewport: { width: 320, height: 640 } }],
  ] as const)
    test(`axe-core finds nothing, and nothing is wider than the window: ${name}`, async () => {
      await using page = await browser.page(address, context)
      for (const path of ["", "/forms", "/webhooks"]) {
        await page.goto(address + path)
        await openAll(page)
        await expectNothing(page, `${path} ${name}`)
        const { wide, window } = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth,
          window: innerWidth,
        }))
        expect([path, wide <= window]).toEqual([path, true])
      }
    })
})

async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("main details")) details.setAttribute("open", "")
  })
}
