import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import axe from "axe-core"
import type { Locator } from "playwright-core"
import { secondMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import {
  describeInBrowser,
  heard,
  type QuietPage,
  startBrowser,
  type TestBrowser,
} from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import { answerable, type Counter, foreign } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// « Nous écrire »: the owner's form in the panel, under a policy that allows nothing but the service.

describeInBrowser("« Nous écrire »", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let form: { id: string }
  const clock = movableClock()
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([
      aService().withClock(clock).withWebsite().started(),
      startBrowser(),
    ])
    api = await apiOf(counter.service)
    const fields = [
      { name: "nom", label: "Votre nom", type: "text", required: true },
      { name: "adresse", label: "Votre adresse e-mail", type: "email" },
      {
        name: "sujet",
        label: "Sujet",
        type: "radio",
        options: [
          { value: "compte", label: "Mon compte" },
          { value: "autre", label: "Autre chose" },
        ],
      },
      {
        name: "produits",
        label: "Produits",
        type: "checkboxes",
        help: "Ceux dont il s’agit.",
        options: [
          { value: "a", label: "Le premier" },
          { value: "b", label: "Le second" },
        ],
      },
      { name: "message", label: "Votre message", type: "textarea", required: true },
    ]
    form = (await api.post("/api/v1/forms", { project: counter.project.id, name: "Contact", fields })).body
    await api.patch(`/api/v1/projects/${counter.project.id}/widget-settings`, { contact_form: form.id })
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  let pages = 0
  /** A page with the widget, on which the visitor has spent some time. */
  async function visit(address = counter.page(`/contact-${++pages}`)): Promise<QuietPage> {
    const page = await browser.page(address, {})
    await page.getByRole("button", { name: "Poser une question" }).waitFor()
    clock.move(10 * secondMs)
    return page
  }
  const write = (page: QuietPage) => page.getByRole("button", { name: "Nous écrire" })
  const section = (page: QuietPage) => page.getByRole("region", { name: "Nous écrire" })
  const responses = async () => (await api.get(`/api/v1/forms/${form.id}/responses`)).body.items

  async function ask(page: QuietPage, question: string): Promise<void> {
    await page.getByRole("button", { name: "Poser une question" }).click()
    await page.getByLabel("Votre question").fill(question)
    await page.keyboard.press("Enter")
    await page.locator("guichet-widget article > div:not([aria-busy])").last().waitFor()
  }

  async function expectNothing(page: QuietPage): Promise<void> {
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (window as never as { axe: typeof axe }).axe.run())
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  }

  test("opens the form with the question filled in, says what is wrong, sends it, and says where it came from", async () => {
    await using page = await visit()
    await ask(page, foreign)
    const loaded: string[] = []
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname))
    await write(page).click()
    await section(page).waitFor()
    expect(loaded.filter((path) => /^\/contact\/[0-9a-f]{16}\.js$/.test(path))).toHaveLength(1)
    const message = section(page).getByLabel("Votre message")
    expect(await message.inputValue()).toBe(foreign)
    expect(
      await section(page)
        .getByLabel("Votre nom")
        .evaluate((one) => (one.getRootNode() as ShadowRoot).activeElement === one),
    ).toBe(true)
    // What says to enter nothing personal speaks of questions to a program.
    expect(await page.getByText("aucune donnée personnelle").isVisible()).toBe(false)
    await expectNothing(page)
    await section(page).getByRole("button", { name: "Envoyer" }).click()
    await section(page).getByText("Remplissez ce champ.").waitFor()
    await section(page).getByRole("button", { name: "Envoyer" }).hover()
    await expectNothing(page)
    await section(page).getByLabel("Votre nom").fill("Camille")
    expect(await section(page).getByText("Remplissez ce champ.").count()).toBe(0)
    await section(page).getByLabel("Autre chose").check()
    await section(page).getByLabel("Le premier").check()
    await section(page).getByLabel("Le second").check()
    await section(page).getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    // It was about the question.
    expect(await page.locator("guichet-widget .status").textContent()).toBe("")
    expect(loaded.some((path) => path.endsWith("/contact/answer"))).toBe(false)
    expect(await page.getByText("aucune donnée personnelle").isVisible()).toBe(true)
    const [received] = await responses()
    expect(received).toMatchObject({
      values: { nom: "Camille", sujet: "autre", produits: "a, b", message: foreign },
    })
    expect(received.page).toBe(`${counter.site}/contact-${pages}`)
    const { db } = counter.service.app
    const row = await db
      .selectFrom("form_response")
      .innerJoin("answer", "answer.id", "form_response.answer_id")
      .select("question")
      .where("form_response.id", "=", received.id)
      .executeTakeFirst()
    expect(row?.question).toBe(foreign)
    // The browser's own word on the refused post.
    expect(page.problems.filter((said) => !said.includes("400 (Bad Request)"))).toEqual([])
  })

  test("shows what the documentation answers once; that may be the answer, and nothing is sent", async () => {
    await using page = await visit()
    const before = (await responses()).length
    await ask(page, foreign)
    await write(page).click()
    await section(page).getByLabel("Votre nom").fill("Camille")
    await section(page).getByLabel("Votre message").fill(answerable)
    await section(page).getByRole("button", { name: "Envoyer" }).click()
    const offer = page.getByRole("region", { name: "Votre message n’est pas encore envoyé" })
    await offer.waitFor()
    expect(await offer.textContent()).toContain("Mot de passe oublié")
    expect(await offer.getByRole("link", { name: /^Mot de passe/ }).getAttribute("href")).toContain(
      "/mot-de-passe",
    )
    await expectNothing(page)
    const solved = page.waitForResponse("**/contact/solved")
    await offer.getByRole("button", { name: "Oui, c’est la réponse" }).click()
    expect((await solved).status()).toBe(204)
    await page.getByText("Rien n’a été envoyé.").waitFor()
    expect((await responses()).length).toBe(before)
    expect(page.problems).toEqual([])
  })

  test("the answer can be passed over, and is not shown again", async () => {
    await using page = await visit()
    await ask(page, foreign)
    await write(page).click()
    await section(page).getByLabel("Votre nom").fill("Zoé")
    await section(page).getByLabel("Votre message").fill(`${answerable} Je n’y arrive pas.`)
    await section(page).getByRole("button", { name: "Envoyer" }).click()
    await page.getByRole("button", { name: "Envoyer mon message" }).click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect((await responses())[0].values.nom).toBe("Zoé")
  })

  test("its sources, and those above, open in a tab of their own; what was typed is still there", async () => {
    await using page = await visit()
    await ask(page, answerable)
    const above = page.locator("guichet-widget article > div > .sources a").first()
    await page.getByRole("button", { name: "Pas utile" }).click()
    await write(page).click()
    await section(page).getByLabel("Votre nom").fill("Camille")
    const typed = `${answerable} Je n’y arrive pas.`
    await section(page).getByLabel("Votre message").fill(typed)
    await section(page).getByRole("button", { name: "Envoyer" }).click()
    const offer = page.getByRole("region", { name: "Votre message n’est pas encore envoyé" })
    await offer.waitFor()
    for (const source of [above, offer.getByRole("link", { name: /^Mot de passe/ })]) {
      expect(await source.textContent()).toEndWith("(nouvel onglet)")
      const opened = page.waitForEvent("popup")
      await source.click()
      await using tab = await opened
      await tab.waitForURL("**/mot-de-passe*")
      expect(await section(page).getByRole("textbox", { name: "Votre message" }).inputValue()).toBe(typed)
      expect(await offer.isVisible()).toBe(true)
    }
    await section(page).getByRole("button", { name: "Annuler" }).click()
    expect(await above.getAttribute("target")).toBeNull()
    expect(await above.textContent()).not.toContain("nouvel onglet")
  })

  test("pages that come while somebody writes open in a tab of their own, too", async () => {
    await using page = await visit()
    const { promise: written, resolve: begin } = Promise.withResolvers<void>()
    await page.route("**/related", async (route) => {
      await written
      await route.fulfill({
        json: { items: [{ title: "Factures", section: null, url: `${counter.site}/factures` }] },
        headers: { "access-control-allow-origin": "*" },
      })
    })
    await ask(page, foreign)
    await write(page).click()
    await section(page).getByLabel("Votre message").fill("Une longue histoire.")
    begin()
    const late = page.locator("guichet-widget").getByRole("link", { name: /^Factures.*\(nouvel onglet\)$/ })
    const opened = page.waitForEvent("popup")
    await late.click()
    await using tab = await opened
    await tab.waitForURL("**/factures*")
    expect(await section(page).getByLabel("Votre message").inputValue()).toBe("Une longue histoire.")
    await section(page).getByRole("button", { name: "Annuler" }).click()
    expect(await page.locator("guichet-widget .sources a[target]").count()).toBe(0)
  })

  test("two clicks open one form", async () => {
    await using page = await visit()
    await ask(page, foreign)
    await write(page).dblclick()
    await section(page).first().waitFor()
    await page.waitForLoadState("networkidle")
    expect(await section(page).count()).toBe(1)
  })

  describe("where the assistant fails", () => {
    const set = (change: object) => api.patch(`/api/v1/projects/${counter.project.id}`, change)
    afterEach(() => set({ assistant_enabled: true, per_visitor_day: null }))

    /** Asks in vain, then writes at once: the owner gets it. */
    async function writeInstead(page: QuietPage, code: string, isOffered: boolean): Promise<void> {
      await ask(page, answerable)
      const failures = (await heard(page)).filter(({ name }) => name === "error")
      expect(failures.map(({ detail }) => detail.code)).toEqual([code])
      await write(page).click()
      expect(await section(page).getByLabel("Votre message").inputValue()).toBe(answerable)
      await section(page).getByLabel("Votre nom").fill(code)
      await section(page).getByRole("button", { name: "Envoyer" }).click()
      if (isOffered) await page.getByRole("button", { name: "Envoyer mon message" }).click()
      await page.getByText("Votre message a bien été envoyé.").waitFor()
      expect((await responses())[0].values).toMatchObject({ nom: code, message: answerable })
    }

    test("because it is switched off", async () => {
      await using page = await visit()
      await set({ assistant_enabled: false })
      await writeInstead(page, "assistant_disabled", false)
    })

    // Nobody has answered the question: what the documentation says to it is shown before it is sent.
    test("because too many ask", async () => {
      const body = JSON.stringify({ project: counter.project.id, question: foreign })
      const headers = { origin: counter.site, "content-type": "application/json" }
      await fetch(`${counter.service.url}/api/v1/ask`, { method: "POST", headers, body })
      await set({ per_visitor_day: 1 })
      await using page = await visit()
      await writeInstead(page, "rate_limited", true)
    })

    test("because it does not respond", async () => {
      await using page = await visit()
      const error = { code: "unavailable", message: "L’assistant ne répond pas pour le moment." }
      const headers = { "access-control-allow-origin": "*" }
      await page.route("**/api/v1/ask", (route) => route.fulfill({ status: 503, json: { error }, headers }))
      await writeInstead(page, "unavailable", true)
    })

    test("because nothing is indexed yet", async () => {
      const { body: other } = await api.post("/api/v1/projects", { name: "Neuf", site: counter.site })
      const fields = [{ name: "message", label: "Votre message", type: "textarea" }]
      const { body: own } = await api.post("/api/v1/forms", { project: other.id, name: "Contact", fields })
      await api.patch(`/api/v1/projects/${other.id}/widget-settings`, { contact_form: own.id })
      const scripts = `<script src="${counter.service.url}/widget.js" data-project="${other.id}" defer></script>`
      await using page = await visit(counter.page("/neuf", undefined, { scripts }))
      await ask(page, answerable)
      expect(await page.getByRole("alert").textContent()).toContain("pas encore indexée")
      await write(page).click()
      // Filled in already, it is sent within a second, and is no less a person's for that.
      await section(page).getByRole("button", { name: "Envoyer" }).click()
      await page.getByText("Votre message a bien été envoyé.").waitFor()
      const { items } = (await api.get(`/api/v1/forms/${own.id}/responses`)).body
      expect(items.map(({ values }: { values: object }) => values)).toEqual([{ message: answerable }])
    })

    test("but not because of the network, which a message cannot cross either", async () => {
      await using page = await visit()
      await page.route("**/api/v1/ask", (route) => route.abort())
      await ask(page, answerable)
      expect(await write(page).count()).toBe(0)
    })
  })

  test("a check that cannot be had delays nothing", async () => {
    await using page = await visit()
    await page.route("**/contact/answer", (route) => route.abort())
    await ask(page, foreign)
    await write(page).click()
    await section(page).getByLabel("Votre nom").fill("Ada")
    await section(page).getByLabel("Votre message").fill(answerable)
    await section(page).getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect((await responses())[0].values.nom).toBe("Ada")
  })

  test("under an answer, only after « pas utile »; « Annuler » puts it away", async () => {
    await using page = await visit()
    await ask(page, answerable)
    expect(await write(page).count()).toBe(0)
    await page.getByRole("button", { name: "Pas utile" }).click()
    await write(page).click()
    expect(await section(page).getByLabel("Votre message").inputValue()).toBe(answerable)
    await section(page).getByRole("button", { name: "Annuler" }).click()
    expect(await section(page).count()).toBe(0)
    expect(await write(page).isVisible()).toBe(true)
    expect(await page.getByLabel("Votre question").isVisible()).toBe(true)
  })

  test("an answer that was not useful is still one on the next page", async () => {
    await using page = await visit()
    await ask(page, answerable)
    await page.getByRole("button", { name: "Pas utile" }).click()
    await write(page).waitFor()
    await page.goto(counter.page(`/contact-${++pages}`))
    await write(page).click()
    expect(await section(page).getByLabel("Votre message").inputValue()).toBe(answerable)
  })

  test("is in sight as soon as it is offered, on a phone too", async () => {
    await using page = await browser.page(counter.page(`/contact-${++pages}`), {
      viewport: { width: 390, height: 600 },
    })
    const inSight = (link: Locator) =>
      link.evaluate((one) => {
        const talk = one.closest(".talk") as HTMLElement
        return one.getBoundingClientRect().bottom <= talk.getBoundingClientRect().bottom
      })
    await page.getByRole("button", { name: "Poser une question" }).click()
    const question = async (text: string) => {
      await page.getByLabel("Votre question").fill(text)
      await page.keyboard.press("Enter")
    }
    await question("Quels formats d’export existent, CSV ou JSON ?")
    await page.getByText("Réponse prête").waitFor()
    await page.getByRole("button", { name: "Pas utile" }).click()
    await write(page).waitFor()
    expect(await inSight(write(page))).toBe(true)
    const related = page.waitForResponse("**/related")
    await question(foreign)
    await related
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await inSight(write(page).last())).toBe(true)
    await page.route("**/api/v1/ask", (route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: "unavailable", message: "L’assistant ne répond pas pour le moment." } },
        headers: { "access-control-allow-origin": "*" },
      }),
    )
    await question(answerable)
    await page.getByRole("alert").waitFor()
    expect(await write(page).count()).toBe(3)
    expect(await inSight(write(page).last())).toBe(true)
  })

  test("a form that cannot be had is said not to open, and opens later", async () => {
    await using page = await visit()
    await ask(page, foreign)
    await page.route("**/contact/*.js", (route) => route.abort())
    await write(page).click()
    await page.getByText("Le formulaire ne s’ouvre pas").waitFor()
    await page.unroute("**/contact/*.js")
    await write(page).click()
    await section(page).waitFor()
    expect(await page.getByText("Le formulaire ne s’ouvre pas").count()).toBe(0)
  })

  const trustedTypes = "require-trusted-types-for 'script'"
  test.each([
    ["allows scripts by a nonce alone", ""],
    ["requires Trusted Types", trustedTypes],
    ["lists its Trusted Types", `${trustedTypes}; trusted-types guichet 'allow-duplicates'`],
  ])("on a page that %s", async (_, more) => {
    const { service, project } = counter
    const address = counter.page(`/policy-${++pages}`, undefined, {
      scripts: `<script nonce="page" src="${service.url}/widget.js" data-project="${project.id}" defer></script>`,
      policy: `default-src 'none'; script-src 'nonce-page'; connect-src ${service.url}; ${more}`,
    })
    await using page = await visit(address)
    await ask(page, foreign)
    await write(page).click()
    await section(page).waitFor()
    expect(page.problems).toEqual([])
  })
})
