import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { applyProjectChange } from "../../src/accounts/project.ts"
import {
  describeInBrowser,
  heard,
  type QuietPage,
  startBrowser,
  type TestBrowser,
} from "../support/browser.ts"
import { answerable, type Counter, foreign, type PageOptions } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// The widget on a page of a declared site, under a policy that allows the service's scripts and requests and
// nothing else.

describeInBrowser("the widget", () => {
  let counter: Counter
  let browser: TestBrowser
  let pages = 0
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const visit = (body?: string, options?: PageOptions): Promise<QuietPage> =>
    browser.page(counter.page(`/page-${++pages}`, body, options))

  const opener = (page: QuietPage) => page.getByRole("button", { name: "Poser une question" })
  const field = (page: QuietPage) => page.getByLabel("Votre question")
  const status = (page: QuietPage) => page.locator("guichet-widget p[role=status]")
  const articles = (page: QuietPage) => page.locator("guichet-widget article")

  async function asked(
    page: QuietPage,
    question: string,
    expected: string | RegExp = /^Réponse prête/,
  ): Promise<Locator> {
    if (!(await field(page).isVisible())) await opener(page).click()
    const before = await articles(page).count()
    await field(page).fill(question)
    await page.keyboard.press("Enter")
    await status(page).filter({ hasText: expected }).waitFor()
    const article = articles(page).nth(before)
    await article.locator("> div:not([aria-busy])").waitFor()
    return article
  }

  test("opens a dialog that has a name, puts the focus into its field and gives it back", async () => {
    await using page = await visit()
    await opener(page).focus()
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog", { name: "Assistant de la documentation" })
    await dialog.waitFor()
    expect(await dialog.evaluate((one) => one.matches(":modal"))).toBe(true)
    expect(await field(page).evaluate(isFocused)).toBe(true)
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    expect(await opener(page).evaluate(isFocused)).toBe(true)
    await opener(page).click()
    await page.getByRole("button", { name: "Fermer" }).click()
    await dialog.waitFor({ state: "hidden" })
    expect(await opener(page).evaluate(isFocused)).toBe(true)
    expect(page.problems).toEqual([])
  })

  // A window of 1,280 × 720, and the same at 200 % zoom.
  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 640, height: 360 },
  ])
    test(`says at all times where answers come from, to check them, and to enter nothing personal (${viewport.width} × ${viewport.height})`, async () => {
      await using page = await visit()
      await page.setViewportSize(viewport)
      const notice = page.getByText("produites automatiquement d’après la documentation")
      const isInSight = async () => {
        const box = await notice.boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= viewport.height
      }
      await opener(page).click()
      expect(await isInSight()).toBe(true)
      await asked(page, answerable)
      expect(await isInSight()).toBe(true)
      await page.getByText("Sources", { exact: true }).scrollIntoViewIfNeeded()
      expect(await isInSight()).toBe(true)
      expect(await notice.innerText()).toMatch(/vérifiez les sources.*aucune donnée personnelle/)
    })

  test("Enter sends the question, Shift+Enter begins a line", async () => {
    await using page = await visit()
    await opener(page).click()
    await field(page).fill("Bonjour,")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type(answerable)
    expect(await articles(page).count()).toBe(0)
    await page.keyboard.press("Enter")
    await status(page).filter({ hasText: "Réponse prête" }).waitFor()
    expect(await articles(page).locator("h3").textContent()).toBe(`Bonjour,\n${answerable}`)
    expect(await field(page).inputValue()).toBe("")
  })

  test("shows the answer with its sources, which open at their section", async () => {
    await using page = await visit()
    const article = await asked(page, answerable)
    expect(await status(page).textContent()).toBe("Réponse prête, 1 source")
    expect(await article.locator("pre code").textContent()).toBe(
      "compte mot-de-passe --reinitialiser camille@exemple.fr",
    )
    const source = article.locator("ol a")
    expect(await source.getAttribute("href")).toBe(
      `${counter.site}/mot-de-passe#réinitialiser-son-mot-de-passe`.replaceAll("é", "%C3%A9"),
    )
    expect(await source.textContent()).toBe("Mot de passeRéinitialiser son mot de passe")
    expect(page.problems).toEqual([])
  })

  test("a source on the very page that is open closes the panel and shows its section", async () => {
    const section = "réinitialiser-son-mot-de-passe"
    const body = `<main><h1>A</h1><div style="height:3000px"></div><h2 id="${section}">Section</h2></main>`
    await using page = await browser.page(counter.page("/mot-de-passe", body))
    const article = await asked(page, answerable)
    await article.locator("ol a").click()
    await page.getByRole("dialog").waitFor({ state: "hidden" })
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#${section}`)
    expect(await page.locator("h2:target").textContent()).toBe("Section")
  })

  test("a marker leads to its source, by the keyboard too", async () => {
    await using page = await visit()
    const article = await asked(page, answerable)
    const marker = article.getByRole("link", { name: /^Source 1/ }).first()
    await marker.focus()
    await page.keyboard.press("Enter")
    expect(await article.locator("ol a").evaluate(isFocused)).toBe(true)
    expect(new URL(page.url()).hash).toBe("")
  })

  test("no id stands twice, however many answers there are", async () => {
    await using page = await visit()
    await asked(page, answerable)
    await asked(page, "Quand télécharger une facture ?")
    await asked(page, answerable)
    const ids = await page
      .locator("guichet-widget")
      .evaluate((host) => [...(host.shadowRoot as ShadowRoot).querySelectorAll("[id]")].map(({ id }) => id))
    expect(ids.length).toBeGreaterThan(6)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test("a list and a table of the documentation are a list and a table", async () => {
    await using page = await visit()
    const list = await asked(page, "Comment choisir un bon mot de passe ?")
    expect(await list.locator(".answer li").count()).toBeGreaterThan(0)
    expect(await list.locator(".answer strong").first().textContent()).toBe("douze")
    const table = await asked(page, "Quels formats d’export existent, CSV ou JSON ?")
    expect(await table.locator("th").allTextContents()).toEqual(["Format", "Contenu"])
  })

  test("no answer is a result like any other, not an alert", async () => {
    await using page = await visit()
    const article = await asked(page, foreign, "Aucune réponse trouvée")
    expect(await article.textContent()).toContain("Essayez de la reformuler")
    expect(await page.getByRole("alert").count()).toBe(0)
    expect(await article.locator("ol").count()).toBe(0)
    expect(page.problems).toEqual([])
  })

  test("sends the page's own path at the time of asking and the last three answers, never their text", async () => {
    await using page = await visit()
    const sent: { page: string; previous: string[]; question: string }[] = []
    page.on("request", (request) => {
      if (request.url().endsWith("/ask") && request.method() === "POST") sent.push(request.postDataJSON())
    })
    for (const [place, question] of [
      answerable,
      foreign,
      answerable,
      answerable,
      answerable,
      answerable,
    ].entries()) {
      await page.evaluate((path) => history.pushState(null, "", path), `/spa/${place}?secret=1#x`)
      await asked(page, question, question === foreign ? /^Aucune réponse/ : /^Réponse prête/)
    }
    expect(sent.map((one) => one.page)).toEqual([0, 1, 2, 3, 4, 5].map((place) => `/spa/${place}`))
    const [first, , third, fourth, fifth] = await answerIds(page)
    // What was not answered gives no context, and takes nobody's place.
    expect(sent.map(({ previous }) => previous)).toEqual([
      [],
      [first as string],
      [first as string],
      [first, third] as string[],
      [first, third, fourth] as string[],
      [third, fourth, fifth] as string[],
    ])
    expect(Object.keys(sent[5] as object).sort()).toEqual(["page", "previous", "project", "question"])
  })

  test("sets no cookie, stores nothing but the tab's conversation, and asks nobody but the service", async () => {
    const urls: string[] = []
    await using page = await visit()
    page.on("request", (request) => urls.push(request.url()))
    await page.reload()
    const stored = () => page.evaluate(() => [localStorage.length, Object.keys(sessionStorage)])
    await page.getByRole("button", { name: "Poser une question" }).waitFor()
    expect(await stored()).toEqual([0, []])
    await asked(page, answerable)
    expect(await page.context().cookies()).toEqual([])
    expect(await stored()).toEqual([0, [`guichet:${counter.project.id}`]])
    const foreignUrls = urls.filter((url) => !url.startsWith(`${counter.service.url}/`) && url !== page.url())
    expect(foreignUrls).toEqual([])
    expect(
      await page.evaluate(() => Object.keys(window).filter((name) => name.startsWith("guichet"))),
    ).toEqual(["guichet"])
  })

  test("an error of the service is shown unchanged, in French, and the question is not lost", async () => {
    const { app } = counter.service
    await using page = await visit(undefined, { lang: "en" })
    await applyProjectChange(app.db, counter.project.id, { assistant_enabled: false })
    try {
      await page.getByRole("button", { name: "Ask a question" }).click()
      await page.getByLabel("Your question").fill("How ?")
      await page.keyboard.press("Enter")
      const alert = page.getByRole("alert")
      expect(await alert.textContent()).toBe("L’assistant de cette documentation est désactivé.")
      expect(await alert.getAttribute("lang")).toBe("fr")
      expect(await page.getByLabel("Your question").inputValue()).toBe("How ?")
    } finally {
      await applyProjectChange(app.db, counter.project.id, { assistant_enabled: true })
    }
  })

  test("offline it says so, and the question can be sent again once the network is back", async () => {
    await using page = await browser.page(counter.page("/offline"), {})
    await opener(page).click()
    await page.context().setOffline(true)
    await field(page).fill(answerable)
    await page.keyboard.press("Enter")
    expect(await page.getByRole("alert").textContent()).toBe(
      "L’envoi n’a pas abouti\u00a0: vérifiez votre connexion, puis réessayez.",
    )
    await page.context().setOffline(false)
    expect(await field(page).inputValue()).toBe(answerable)
    await page.keyboard.press("Enter")
    await status(page).filter({ hasText: "Réponse prête" }).waitFor()
  })

  test("one character is no question: that is said at the field, and nothing is sent", async () => {
    await using page = await visit()
    await opener(page).click()
    await field(page).fill(" ? ")
    await page.keyboard.press("Enter")
    const problem = page.getByText("Écrivez une question d’au moins 2 caractères.")
    await problem.waitFor()
    expect(await field(page).getAttribute("aria-invalid")).toBe("true")
    expect(await field(page).getAttribute("aria-describedby")).toContain(
      (await problem.getAttribute("id")) as string,
    )
    expect(await articles(page).count()).toBe(0)
    await page.keyboard.type("x")
    expect(await problem.count()).toBe(0)
  })

  test("keeps an opinion of an answer, and the last word counts", async () => {
    await using page = await visit()
    const article = await asked(page, answerable)
    const [id = ""] = await answerIds(page)
    const useful = article.getByRole("button", { name: "Utile", exact: true })
    await useful.click()
    await article.getByText("Merci pour votre avis.").waitFor()
    expect(await useful.getAttribute("aria-pressed")).toBe("true")
    expect(await usefulOf(id)).toBe(1)
    const kept = page.waitForResponse(/feedback$/)
    await article.getByRole("button", { name: "Pas utile" }).click()
    await kept
    await article.locator("[aria-pressed=true]", { hasText: "Pas utile" }).waitFor()
    expect(await useful.getAttribute("aria-pressed")).toBe("false")
    expect(await usefulOf(id)).toBe(0)
  })

  async function answerIds(page: QuietPage): Promise<string[]> {
    return (await heard(page)).filter(({ name }) => name === "answer").map(({ detail }) => detail.id)
  }

  async function usefulOf(id: string): Promise<number | null> {
    const { db } = counter.service.app
    return (await db.selectFrom("answer").select("useful").where("id", "=", id).executeTakeFirstOrThrow())
      .useful
  }

  test.each([["with"], ["without"]])("copies code %s the clipboard of secure pages", async (clipboard) => {
    await using page = await browser.page(counter.page("/copy"), {})
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    const article = await asked(page, answerable)
    await page.evaluate(() => navigator.clipboard.writeText(""))
    if (clipboard === "without")
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error("forbidden"))
      })
    await article.getByRole("button", { name: "Copier" }).click()
    await article.getByRole("button", { name: "Copié", exact: true }).waitFor()
    const code = "compte mot-de-passe --reinitialiser camille@exemple.fr"
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
  })

  test.each([
    ["fr", "", "Poser une question"],
    ["en-GB", "", "Ask a question"],
    ["de", "", "Poser une question"],
    ["fr", `data-language="en"`, "Ask a question"],
    ["en", `data-language="fr"`, "Poser une question"],
  ])("on a page in %s with %p its button says %s", async (lang, widget, words) => {
    await using page = await visit(undefined, { lang, widget })
    await page.getByRole("button", { name: words }).waitFor()
    expect(await page.locator("guichet-widget").getAttribute("lang")).toBe(
      words.startsWith("Ask") ? "en" : "fr",
    )
  })

  test("opens by a shortcut only where a site wants one", async () => {
    await using without = await visit()
    await without.keyboard.press("Control+k")
    expect(await without.getByRole("dialog").count()).toBe(0)
    await using page = await visit("<main><h1>A</h1><input aria-label='champ'></main>", {
      widget: `data-shortcut="k"`,
    })
    await page.getByRole("textbox", { name: "champ" }).focus()
    await page.keyboard.press("k")
    expect(await page.getByRole("dialog").count()).toBe(0)
    await page.keyboard.press("Control+k")
    expect(await field(page).evaluate(isFocused)).toBe(true)
    await page.keyboard.press("Escape")
    expect(await page.getByRole("textbox", { name: "champ" }).evaluate(isFocused)).toBe(true)
    expect(await opener(page).getAttribute("aria-keyshortcuts")).toBe("Control+K Meta+K")
  })

  test("stays with its conversation when a single-page site replaces the body or what is in it", async () => {
    await using page = await visit()
    await asked(page, answerable)
    for (const replace of [
      () => document.body.replaceChildren("nouvelle page"),
      () => document.body.replaceWith(document.createElement("body")),
      () => document.body.replaceChildren("encore une"),
    ]) {
      await page.evaluate(replace)
      expect(await articles(page).first().isVisible()).toBe(true)
      await page.getByRole("button", { name: "Fermer" }).click()
      await opener(page).click()
      expect(await articles(page).count()).toBe(1)
      expect(await field(page).evaluate(isFocused)).toBe(true)
    }
    expect(page.problems).toEqual([])
  })

  test("a script that a page loads twice, in its head and without defer, is one widget", async () => {
    const tag = `<script src="${counter.service.url}/widget.js" data-project="${counter.project.id}"></script>`
    await using page = await visit(undefined, { scripts: tag + tag })
    await asked(page, answerable)
    expect(await page.locator("guichet-widget").count()).toBe(1)
  })

  test("is loaded by its version and its integrity, and asks the same service", async () => {
    const listed = await (await fetch(`${counter.service.url}/scripts.json`)).json()
    const { url, integrity } = (listed as { widget: { url: string; integrity: string } }).widget
    const address = counter.service.url + new URL(url).pathname
    const tag = (digest: string) =>
      `<script src="${address}" integrity="${digest}" crossorigin data-project="${counter.project.id}" defer></script>`
    await using page = await visit(undefined, { scripts: tag(integrity) })
    await asked(page, answerable)
    expect(page.problems).toEqual([])
    await using forged = await visit(undefined, { scripts: tag(`${integrity.slice(0, -4)}AAAA`) })
    expect(await opener(forged).count()).toBe(0)
  })

  test("whatever style the page has, the widget has its own", async () => {
    await using page = await visit(undefined, {
      head: `<style nonce="page">html{font-size:5px}*{color:red!important;text-transform:uppercase}button{display:none}dialog{display:none!important}</style>`,
      policy: `default-src 'none'; script-src ${counter.service.url}; connect-src ${counter.service.url}; style-src 'nonce-page'`,
    })
    const { fontSize, textTransform } = await opener(page).evaluate((one) => getComputedStyle(one))
    expect([fontSize, textTransform]).toEqual(["16px", "none"])
    await asked(page, answerable)
  })
})

function isFocused(element: Element): boolean {
  return (element.getRootNode() as Document | ShadowRoot).activeElement === element
}
