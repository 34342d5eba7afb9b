import { afterAll, beforeAll, expect, test } from "bun:test"
import { secondMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { movableClock } from "../support/clock.ts"
import { answerable, type Counter } from "../support/counter.ts"
import { describeInEngines, type Engine, type EnginePage, startEngine } from "../support/engines.ts"
import { password, signedIn } from "../support/operator.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"

// What a visitor meets, and an owner's first webhook, work in each engine, in a window of a desktop.

const clock = movableClock()
let counter: Counter
let api: Api
beforeAll(async () => {
  // The pages of a form name the address.
  const settings = {
    GUICHET_PORT: String(await freePort()),
    GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:9",
  }
  counter = await aService().withSettings(settings).withClock(clock).withWebsite().started()
  api = await apiOf(counter.service)
  await api.patch(`/api/v1/projects/${counter.project.id}/widget-settings`, { search: true })
})
afterAll(() => counter[Symbol.asyncDispose]())

const widget = "guichet-widget >>> "
const opener = `${widget}[part=button]`
const submit = { is: "button", says: "Envoyer" }

describeInEngines("what a visitor and an owner meet", (name) => {
  let engine: Engine
  let page: EnginePage
  beforeAll(async () => {
    engine = await startEngine(name)
    page = engine.page
  })
  afterAll(() => engine[Symbol.asyncDispose]())

  const aForm = async (fields: object[]) => {
    const described = { project: counter.project.id, name: "Contact", hosted: true, fields }
    const form = (await api.post("/api/v1/forms", described)).body
    const values = async () =>
      (await api.get(`/api/v1/forms/${form.id}/responses`)).body.items.map(
        (one: { values: object }) => one.values,
      )
    return { ...form, values }
  }

  test("the panel grows with an answer, which is seen", async () => {
    await page.goto(counter.page(`/panel-${name}`))
    await page.click(opener)
    const empty = await page.boxOf(`${widget}dialog`)
    await page.fill(`${widget}[role=combobox]`, answerable)
    await page.click({ is: `${widget}[role=option]`, says: "Demander à l’assistant" })
    await page.reads("Réponse prête, 1 source")
    await page.reads("compte mot-de-passe --reinitialiser")
    const dialog = await page.boxOf(`${widget}dialog`)
    expect(dialog.height).toBeGreaterThan(empty.height + 100)
    expect(dialog.y).toBeGreaterThan(0)
    expect(dialog.y + dialog.height).toBeLessThan(720)
    // All of the answer is in sight, or as much of it as the window has room for.
    const talk = await page.boxOf(`${widget}.talk`)
    const answer = await page.boxOf(`${widget}article`)
    expect(talk.height).toBeGreaterThanOrEqual(Math.min(answer.height, 350))
    await page.click(`${widget}.renew`)
    await page.press("Escape")
    await page.boxOf(opener)
  })

  test("the search finds pages while one types, and Enter opens the chosen one", async () => {
    await page.goto(counter.page(`/search-${name}`))
    await page.click(opener)
    await page.boxOf(`${widget}[role=combobox]`)
    await page.type("factur")
    await page.reads("Télécharger une facture")
    const options = await page.boxOf(`${widget}[role=listbox]`)
    expect(options.height).toBeGreaterThan(100)
    await page.press("Enter")
    await page.until((site) => location.href.startsWith(`${site}/factures`), counter.site)
  })

  test("a form on a page of the site is sent without leaving it", async () => {
    const form = await aForm([{ name: "nom", label: "Votre nom", type: "text", required: true }])
    // The policy of the page allows this address.
    const action = `${counter.service.url}/f/${form.public_id}`
    const html = `<main><form action="${action}" method="post"><label>Votre nom <input name="nom"></label><button>Envoyer</button></form></main>`
    const address = counter.page(`/form-${name}`, html)
    await page.goto(address)
    await page.click(submit)
    await page.reads("Remplissez ce champ.")
    await page.fill("[name=nom]", "Éléonore")
    clock.move(10 * secondMs)
    await page.click(submit)
    await page.reads("Votre message a bien été envoyé.")
    expect(await page.evaluate(() => location.href)).toBe(address)
    expect(await form.values()).toEqual([{ nom: "Éléonore" }])
  })

  test("a form of several steps is gone through, back and forth", async () => {
    const form = await aForm([
      { name: "p1", label: "Votre demande", type: "page" },
      { name: "objet", label: "Objet", type: "text", required: true },
      { name: "p2", label: "Vous", type: "page" },
      { name: "courriel", label: "Courriel", type: "email", required: true },
    ])
    await page.goto(form.action)
    await page.reads("Étape 1 sur 2")
    await page.fill("[name=objet]", "Un devis")
    clock.move(10 * secondMs)
    await page.press("Enter")
    await page.reads("Étape 2 sur 2")
    await page.click({ is: "button", says: "Étape précédente" })
    await page.reads("Étape 1 sur 2")
    expect(await page.valueOf("[name=objet]")).toBe("Un devis")
    await page.click({ is: "button", says: "Continuer" })
    await page.reads("Étape 2 sur 2")
    await page.fill("[name=courriel]", "camille@exemple.fr")
    await page.click(submit)
    await page.reads("Votre message a bien été envoyé.")
    expect(await form.values()).toEqual([{ objet: "Un devis", courriel: "camille@exemple.fr" }])
  })

  test("a refused sign-in, then a refused address, are said, corrected on the same page, and taken", async () => {
    const { email } = await signedIn(counter.service)
    await page.goto(`${counter.service.url}/console/sign-in?next=/console/webhooks`)
    await page.fill("[name=email]", email)
    await page.fill("[name=password]", "un autre mot de passe")
    await page.press("Enter")
    await page.reads("L’adresse e-mail ou le mot de passe ne convient pas.")
    await page.fill("[name=password]", password)
    await page.press("Enter")
    await page.until(() => location.pathname === "/console/webhooks")
    await page.fill("#new [name=url], [name=url]", "http://hooks.acme.fr/in")
    await page.click({ is: "button", says: "Ajouter la destination" })
    await page.reads("L’URL doit commencer par https://")
    await page.fill("[name=url]", `https://hooks.acme.fr/${name}`)
    await page.click({ is: "button", says: "Ajouter la destination" })
    await page.reads("La destination est enregistrée.")
    await page.reads(`hooks.acme.fr/${name}`)
  })
})
