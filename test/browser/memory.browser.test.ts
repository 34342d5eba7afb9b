import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import {
  describeInBrowser,
  heard,
  type QuietPage,
  startBrowser,
  type TestBrowser,
} from "../support/browser.ts"
import { answerable, type Counter, foreign } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// The conversation outlives a change of page, in its tab, once the visitor has asked.

describeInBrowser("a conversation", () => {
  let counter: Counter
  let browser: TestBrowser
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const opener = (page: QuietPage) => page.getByRole("button", { name: "Poser une question" })
  const field = (page: QuietPage) => page.getByLabel("Votre question")
  const articles = (page: QuietPage) => page.locator("guichet-widget article")
  const dialog = (page: QuietPage) => page.locator("guichet-widget dialog")
  const kept = (page: QuietPage) => page.evaluate(() => Object.keys(sessionStorage))

  async function ask(page: QuietPage, question: string): Promise<void> {
    if (!(await field(page).isVisible())) await opener(page).click()
    const before = await articles(page).count()
    await field(page).fill(question)
    await page.keyboard.press("Enter")
    await articles(page).nth(before).locator("> div:not([aria-busy])").waitFor()
  }

  test("nothing is kept of a visitor who only opens and closes the panel", async () => {
    await using page = await browser.page(counter.page("/rien"), {})
    await opener(page).click()
    await page.keyboard.press("Escape")
    await page.goto(counter.page("/rien-2"))
    await opener(page).waitFor()
    expect(await kept(page)).toEqual([])
    expect(await page.evaluate(() => [document.cookie, localStorage.length])).toEqual(["", 0])
    expect(await articles(page).count()).toBe(0)
  })

  test("goes on after a click on one of its sources, where it was, and the page keeps the focus", async () => {
    counter.page("/mot-de-passe", "<main><h1>Mot de passe</h1><p><a href='#x'>Un lien</a></p></main>")
    await using page = await browser.page(counter.page("/depart"), {})
    await ask(page, answerable)
    await page.getByRole("button", { name: "Utile", exact: true }).click()
    await page.getByText("Merci pour votre avis.").waitFor()
    await ask(page, foreign)
    await field(page).fill("Et ensuite")
    await articles(page).first().locator("ol a").first().click()
    await page.getByRole("heading", { name: "Mot de passe", level: 1 }).waitFor()
    await articles(page).nth(1).waitFor()
    expect(await articles(page).locator("h3").allTextContents()).toEqual([answerable, foreign])
    expect(await articles(page).first().locator("ol a").count()).toBe(1)
    expect(
      await page.getByRole("button", { name: "Utile", exact: true }).first().getAttribute("aria-pressed"),
    ).toBe("true")
    expect(await field(page).inputValue()).toBe("Et ensuite")
    // It stands beside the page, which the visitor came to read.
    expect(await dialog(page).evaluate((one) => [one.hasAttribute("open"), one.matches(":modal")])).toEqual([
      true,
      false,
    ])
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY")
    await page.getByRole("link", { name: "Un lien" }).click()
    expect(await dialog(page).evaluate((one) => one.hasAttribute("open"))).toBe(true)
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    expect(violations.map(({ id }) => id)).toEqual([])
    // The earlier answer is context for the next question.
    const sent = page.waitForRequest("**/api/v1/ask")
    await ask(page, "Et combien de temps ce lien est-il valable ?")
    expect((await sent).postDataJSON().previous).toHaveLength(1)
    await page.keyboard.press("Escape")
    await dialog(page).waitFor({ state: "hidden" })
    expect(page.problems).toEqual([])
  })

  test("stays closed when it was closed, and where it would hide the page", async () => {
    await using page = await browser.page(counter.page("/ferme"), { viewport: { width: 390, height: 800 } })
    await ask(page, answerable)
    await page.goto(counter.page("/ferme-2"))
    await articles(page).first().waitFor({ state: "attached" })
    expect(await dialog(page).isVisible()).toBe(false)
    await opener(page).click()
    expect(await articles(page).first().isVisible()).toBe(true)
    await page.getByRole("button", { name: "Fermer" }).click()
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto(counter.page("/ferme-3"))
    await opener(page).waitFor()
    expect(await dialog(page).isVisible()).toBe(false)
  })

  test("« Nouvelle conversation » forgets it", async () => {
    await using page = await browser.page(counter.page("/nouvelle"), {})
    await opener(page).click()
    const renew = page.getByRole("button", { name: "Nouvelle conversation" })
    expect(await renew.isVisible()).toBe(false)
    await ask(page, answerable)
    await renew.click()
    expect(await articles(page).count()).toBe(0)
    expect(await page.getByText("Posez votre question en une phrase").isVisible()).toBe(true)
    expect(await renew.isVisible()).toBe(false)
    const sent = page.waitForRequest("**/api/v1/ask")
    await ask(page, answerable)
    expect((await sent).postDataJSON().previous).toEqual([])
    await renew.click()
    await page.goto(counter.page("/nouvelle-2"))
    await opener(page).waitFor()
    expect(await kept(page)).toEqual([])
  })

  test("another tab, and a tab whose memory is not ours, begin anew", async () => {
    await using page = await browser.page(counter.page("/onglet"), {})
    await ask(page, answerable)
    await page.goto(counter.page("/onglet-2"))
    expect(await kept(page)).toEqual([`guichet:${counter.project.id}`])
    await page.evaluate((key) => {
      addEventListener("pagehide", () =>
        sessionStorage.setItem(key, '{"exchanges":[{"reply":1}],"open":true}'),
      )
    }, `guichet:${counter.project.id}`)
    await page.goto(counter.page("/onglet-3"))
    await opener(page).waitFor()
    expect(await articles(page).count()).toBe(0)
    expect((await heard(page)).map(({ name }) => name)).toEqual(["ready"])
    expect(page.problems).toEqual([])
    await using other = await browser.page(counter.page("/onglet-4"), {})
    await opener(other).waitFor()
    expect(await articles(other).count()).toBe(0)
  })

  test("the reason of an opinion is asked once an answer did not help, and sent", async () => {
    await using page = await browser.page(counter.page("/raison"), {})
    await ask(page, answerable)
    expect(await page.getByRole("group", { name: "Pourquoi" }).count()).toBe(0)
    await page.getByRole("button", { name: "Pas utile" }).click()
    const reasons = page.getByRole("group", { name: "Pourquoi" })
    await reasons.waitFor()
    const sent = page.waitForRequest("**/feedback")
    await reasons.getByRole("button", { name: "Elle est incomplète" }).click()
    expect((await sent).postDataJSON()).toEqual({ useful: false, reason: "incomplete" })
    await reasons.locator("[aria-pressed=true]").waitFor()
    expect(await reasons.locator("[aria-pressed=true]").textContent()).toBe("Elle est incomplète")
    expect(await page.getByRole("button", { name: "Pas utile" }).getAttribute("aria-pressed")).toBe("true")
    await page.getByRole("button", { name: "Utile", exact: true }).click()
    await reasons.waitFor({ state: "detached" })
    expect(page.problems).toEqual([])
  })

  test("on the way back to a page that the browser has kept, what was asked since is there", async () => {
    await using kept = await startBrowser({ ignoreDefaultArgs: ["--disable-back-forward-cache"] })
    counter.page("/avant", "<main><a href='/apres'>Suite</a></main>")
    await using page = await kept.page(counter.page("/avant"), {})
    await ask(page, answerable)
    await page.keyboard.press("Escape")
    await page.evaluate(() => Object.assign(window, { wasKept: true }))
    await page.goto(counter.page("/apres"))
    await articles(page).first().waitFor({ state: "attached" })
    await ask(page, foreign)
    await page.goBack({ waitUntil: "commit" })
    expect(await page.evaluate(() => (window as unknown as { wasKept?: boolean }).wasKept)).toBe(true)
    await opener(page).click()
    expect(await articles(page).locator("h3").allTextContents()).toEqual([answerable, foreign])
    await page.goto(counter.page("/enfin"))
    await articles(page).nth(1).waitFor({ state: "attached" })
    expect(await articles(page).count()).toBe(2)
    expect(page.problems).toEqual([])
  })
})
