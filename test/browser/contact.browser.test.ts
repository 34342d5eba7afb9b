import { afterAll, beforeAll, expect, test } from "bun:test"
import axe from "axe-core"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { answerable, type Counter, foreign } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// « Nous écrire »: the owner's form in the panel, under a policy that allows nothing but the service.

describeInBrowser("« Nous écrire »", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let form: { id: string }
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
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
  const visit = () => browser.page(counter.page(`/contact-${++pages}`), {})
  const write = (page: QuietPage) => page.getByRole("button", { name: "Nous écrire" })
  const section = (page: QuietPage) => page.getByRole("region", { name: "Nous écrire" })
  const responses = async () => (await api.get(`/api/v1/forms/${form.id}/responses`)).body.items

  async function ask(page: QuietPage, question: string): Promise<void> {
    await page.getByRole("button", { name: "Poser une question" }).click()
    await page.getByLabel("Votre question").fill(question)
    await page.keyboard.press("Enter")
    await page.locator("guichet-widget .feedback").waitFor()
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
    await expectNothing(page)
    await section(page).getByLabel("Votre nom").fill("Camille")
    expect(await section(page).getByText("Remplissez ce champ.").count()).toBe(0)
    await section(page).getByLabel("Autre chose").check()
    await section(page).getByLabel("Le premier").check()
    await section(page).getByLabel("Le second").check()
    await Bun.sleep(2000) // Nobody writes in less than two seconds: the response would be held.
    await section(page).getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
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
    const offer = page.getByRole("region", { name: "Est-ce la réponse" })
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
    await Bun.sleep(2000)
    await section(page).getByRole("button", { name: "Envoyer" }).click()
    await page.getByRole("button", { name: "Envoyer quand même" }).click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect((await responses())[0].values.nom).toBe("Zoé")
  })

  test("a check that cannot be had delays nothing", async () => {
    await using page = await visit()
    await page.route("**/contact/answer", (route) => route.abort())
    await ask(page, foreign)
    await write(page).click()
    await section(page).getByLabel("Votre nom").fill("Ada")
    await section(page).getByLabel("Votre message").fill(answerable)
    await Bun.sleep(2000)
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

  test("on a page that allows scripts by a nonce alone", async () => {
    const { service, project } = counter
    const address = counter.page("/nonce", undefined, {
      scripts: `<script nonce="page" src="${service.url}/widget.js" data-project="${project.id}" defer></script>`,
      policy: `default-src 'none'; script-src 'nonce-page'; connect-src ${service.url}`,
    })
    await using page = await browser.page(address, {})
    await ask(page, foreign)
    await write(page).click()
    await section(page).waitFor()
    expect(page.problems).toEqual([])
  })
})
