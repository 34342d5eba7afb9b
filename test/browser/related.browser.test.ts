import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// After a refusal, the widget shows the pages that may help; in an answer, it shows the documentation's links.

const near = "Comment contester une facture au tribunal ?"
const contact = `# Contact

## Joindre le support

Pour joindre le support, remplissez [le formulaire *rapide*](https://aide.exemple.fr/formulaire) ou passez par [l’ancien site](http://vieux.exemple.fr/aide).
`

describeInBrowser("the widget", () => {
  let counter: Counter
  let browser: TestBrowser
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([
      aService().withWebsite({}, { contact }).started(),
      startBrowser(),
    ])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  async function ask(page: QuietPage, question: string): Promise<void> {
    const field = page.getByRole("textbox")
    if (!(await field.isVisible())) await page.getByRole("button", { name: /^(Ask|Poser)/ }).click()
    await field.fill(question)
    await page.keyboard.press("Enter")
  }

  test.each([
    [
      "fr",
      "Ces pages peuvent aider",
      "Aucune réponse trouvée, 1 page peut aider",
      /ne répond pas à cette question\. Essayez/,
    ],
    ["en", "These pages may help", "No answer found, 1 page may help", /does not answer this question\. Try/],
  ])("names the pages as what they are, in %s, and says that they came", async (lang, name, said, answer) => {
    await using page = await browser.page(counter.page(`/related-${lang}`, undefined, { lang }))
    await ask(page, near)
    const status = page.locator("guichet-widget p[role=status]")
    await status.filter({ hasText: said }).waitFor()
    const article = page.locator("guichet-widget article")
    expect(await article.locator(".answer").textContent()).toMatch(answer)
    const list = article.getByRole("list", { name })
    const link = list.getByRole("link")
    expect(await link.count()).toBe(1)
    expect(await link.textContent()).toStartWith("Factures")
    expect(await link.getAttribute("href")).toStartWith(`${counter.site}/factures`)
    expect(await link.getAttribute("rel")).toBe("noopener")
    // The list stands between the answer and the visitor's opinion of it.
    expect(await article.locator(".sources + .feedback").count()).toBe(1)
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(page.problems).toEqual([])
  })

  test("shows nothing more when no page may help, or when they cannot be had", async () => {
    await using page = await browser.page(counter.page("/related-none"))
    await ask(page, "Qui a peint la Joconde ?")
    const status = page.locator("guichet-widget p[role=status]")
    await status.filter({ hasText: "Aucune réponse trouvée" }).waitFor()
    await page.route("**/related", (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }))
    const answered = page.waitForResponse("**/related")
    await ask(page, near)
    await answered
    await page.locator("guichet-widget article").nth(1).locator(".feedback").waitFor()
    expect(await page.locator("guichet-widget .sources").count()).toBe(0)
    expect(await status.textContent()).toBe("Aucune réponse trouvée")
  })

  test("a link of the documentation opens apart; one that is not https is text", async () => {
    await using page = await browser.page(counter.page("/related-links"))
    await ask(page, "Comment joindre le support ?")
    const answer = page.locator("guichet-widget article .answer")
    const link = answer.getByRole("link", { name: "le formulaire rapide" })
    await link.waitFor()
    expect(await link.getAttribute("href")).toBe("https://aide.exemple.fr/formulaire")
    expect(await link.getAttribute("rel")).toBe("noopener")
    expect(await link.getAttribute("target")).toBe("_blank")
    expect(await link.locator("em").textContent()).toBe("rapide")
    expect(await answer.textContent()).toContain("l’ancien site")
    expect(await answer.getByRole("link", { name: "ancien" }).count()).toBe(0)
    expect(page.problems).toEqual([])
  })
})
