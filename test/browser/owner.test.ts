import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import type { BrowserContextOptions, Page } from "playwright-core"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { owner, startOwned, tour } from "../support/owner-tour.ts"

describeInBrowser("an owner, by the console alone", () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  const looks: [name: string, options: BrowserContextOptions][] = [
    ["on a wide screen, light", { colorScheme: "light", viewport: { width: 1200, height: 800 } }],
    ["at 320 pixels, dark", { colorScheme: "dark", viewport: { width: 320, height: 640 } }],
  ]

  test.each(looks)(
    "makes a form, has its webhook delivered and sends it again; nothing on any page is in the way of anybody, %s",
    async (_, options) => {
      await using owned = await startOwned()
      await using page = await browser.page(`${owned.service.url}/console`, options)
      const found: string[] = []
      await tour(owned, page, async (name) => {
        for (const fault of await faultsOf(page)) found.push(`${name}: ${fault}`)
      })
      expect(found).toEqual([])
      // The pages that refuse are answered 400 and 409, which Chromium tells of in its console.
      expect(page.problems.filter((problem) => !/status of (400|409)/.test(problem))).toEqual([])
      const ids = owned.receiver.received.map(({ headers }) => headers.get("webhook-id"))
      expect(ids).toHaveLength(2)
      expect(ids[0]).toBe(ids[1] as string)
    },
    60_000,
  )

  test("describes a form without JavaScript, and Enter saves it rather than taking a field away", async () => {
    await using owned = await startOwned()
    const { service, projectId } = owned
    await using page = await browser.page(`${service.url}/console`, { javaScriptEnabled: false })
    await page.getByLabel("Adresse e-mail").fill(owner.email)
    await page.getByLabel("Mot de passe").fill(owner.password)
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "Webhooks" }).waitFor()
    await page.goto(`${service.url}/console/projects/${projectId}/forms/new`)
    await page.getByRole("button", { name: "Retirer le champ 3" }).click()
    await page.getByRole("button", { name: "Monter le champ 2" }).click()
    expect(await page.getByLabel("Nom de variable").first().inputValue()).toBe("courriel")
    await page.getByLabel("Nom du formulaire").fill("Devis")
    await page.keyboard.press("Enter")
    await page.getByText("Le formulaire est créé.").waitFor()
    expect(await page.locator("figure code").textContent()).toMatch(/name="courriel"[\s\S]*name="nom"/)
  })

  test("reaches everything by the keyboard: what has the focus can be seen", async () => {
    await using owned = await startOwned()
    await using page = await browser.page(`${owned.service.url}/console`, {})
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.type(owner.email)
    await page.keyboard.press("Tab")
    await page.keyboard.type(owner.password)
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "Webhooks" }).waitFor()
    await page.goto(`${owned.service.url}/console/webhooks`)
    const reached: string[] = []
    for (let presses = 0; presses < 40 && !reached.includes("Ajouter l’adresse"); presses++) {
      await page.keyboard.press("Tab")
      const [name, outline] = await page.evaluate(() => {
        const focused = document.activeElement as HTMLElement
        return [focused.textContent || focused.id, getComputedStyle(focused).outlineStyle]
      })
      expect([name, outline]).not.toEqual([name, "none"])
      reached.push(String(name).trim())
    }
    expect(reached).toEqual(
      expect.arrayContaining(["Aller au contenu", "Webhooks", "url", "description", "Ajouter l’adresse"]),
    )
  })
})

/** What axe-core finds, and whether the page is wider than its window. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const results = await (window as unknown as { axe: typeof axe }).axe.run()
    return results.violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(", ")}`)
  })
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  return isTooWide ? [...violations, "wider than the window"] : violations
}
