import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// After a refusal, the widget offers the passages that may help, the first one open; in an answer, it shows the
// documentation's links.

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
      "Peut-être ici",
      /Aucune réponse trouvée, \d pages? peu(?:t|vent) aider/,
      /ne répond pas à cette question\. Essayez/,
    ],
    ["en", "Perhaps here", /No answer found, \d pages? may help/, /does not answer this question\. Try/],
  ] as const)("opens the first passage as what it is, in %s, and says that it came", async (...says) => {
    const [lang, name, said, answer] = says
    await using page = await browser.page(counter.page(`/related-${lang}`, undefined, { lang }))
    await ask(page, near)
    const status = page.locator("guichet-widget p[role=status]")
    await status.filter({ hasText: said }).waitFor()
    const article = page.locator("guichet-widget article")
    expect(await article.locator(".answer").first().textContent()).toMatch(answer)
    const offer = article.getByRole("group", { name })
    // Its lines are read without opening anything, beside their own source.
    expect(await offer.locator(".answer").first().textContent()).toContain("facture")
    expect(await offer.locator(".answer").first().isVisible()).toBe(true)
    const link = offer.getByRole("link").first()
    expect(await link.textContent()).toStartWith("Factures")
    expect(await link.getAttribute("href")).toStartWith(`${counter.site}/factures`)
    expect(await link.getAttribute("rel")).toBe("noopener")
    // The offer stands behind the refusal, and there is nothing to judge in that.
    expect(await article.locator(".answer + .sources").count()).toBe(1)
    expect(await article.locator(".feedback").count()).toBe(0)
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    expect(violations.map(({ id }) => id)).toEqual([])
    expect(page.problems).toEqual([])
  })

  test("what is followed or opened of an offer counts for the owner, each once", async () => {
    await using page = await browser.page(counter.page("/related-opened"))
    await ask(page, near)
    const offer = page.getByRole("group", { name: "Peut-être ici" })
    await offer.waitFor()
    const sent: string[] = []
    page.on("request", (request) => request.url().endsWith("/opened") && sent.push(request.postData() ?? ""))
    const others = offer.locator("details")
    const count = await others.count()
    const numbers: string[] = []
    for (let at = 0; at < count; at++) {
      const other = others.nth(at)
      const reply = page.waitForResponse("**/opened")
      await other.locator("summary").click()
      expect((await reply).status()).toBe(204)
      numbers.push(`{"n":${at + 2}}`)
    }
    await offer.getByRole("link").first().click()
    const { db } = counter.service.app
    const openedOf = async () => {
      const rows = await db.selectFrom("answer").select("opened").orderBy("id", "desc").limit(1).execute()
      return rows[0]?.opened as number
    }
    // It is sent while the page is left.
    while ((await openedOf()) !== 2 ** (count + 1) - 1) await Bun.sleep(20)
    expect(sent).toEqual([...numbers, '{"n":1}'])
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
    await page.locator("guichet-widget article").nth(1).locator("> div:not([aria-busy])").waitFor()
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
