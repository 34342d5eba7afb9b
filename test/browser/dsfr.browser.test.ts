import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { secondMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import { signIn, unfold } from "../support/console-pages.ts"
import { answerable, type Counter, foreign } from "../support/counter.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"

// The look of the State in a browser: widget, search, contact form, a form's own pages, and the console's preview.

describeInBrowser("the look of the State", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let settings: string
  let hosted: string
  const clock = movableClock()
  beforeAll(async () => {
    // The address that the form is sent to is told beforehand.
    const port = { GUICHET_PORT: String(await freePort()) }
    ;[counter, browser] = await Promise.all([
      aService().withSettings(port).withClock(clock).withWebsite().started(),
      startBrowser(),
    ])
    api = await apiOf(counter.service)
    settings = `/api/v1/projects/${counter.project.id}/widget-settings`
    const fields = [
      { name: "nom", label: "Votre nom", type: "text", required: true, help: "Nom d’usage." },
      { name: "regles", label: "J’accepte", type: "checkbox", required: true },
      { name: "message", label: "Votre message", type: "textarea" },
    ]
    const made = { project: counter.project.id, name: "Contact", hosted: true, fields }
    const form = (await api.post("/api/v1/forms", made)).body
    hosted = form.action
    await api.patch(settings, { look: "dsfr", state_site: true, contact_form: form.id })
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const styleOf = (place: Locator, ...names: string[]) =>
    place.evaluate((one, all) => all.map((name) => getComputedStyle(one).getPropertyValue(name)), names)
  const wide = (page: QuietPage) =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  const looks = [
    ["light", 1280, "rgb(0, 0, 145)", "rgb(238, 238, 238)"],
    ["dark", 1280, "rgb(133, 133, 246)", "rgb(36, 36, 36)"],
    ["light", 320, "rgb(0, 0, 145)", "rgb(238, 238, 238)"],
    ["dark", 320, "rgb(133, 133, 246)", "rgb(36, 36, 36)"],
  ] as const

  test.each(looks)("in the widget, %s, %d pixels wide", async (colorScheme, width, blue, grey) => {
    const context = { colorScheme, viewport: { width, height: 700 } }
    // The page's own colour has no say in it.
    const address = counter.page(`/etat-${colorScheme}-${width}`, undefined, {
      head: `<style nonce="page">:root{color-scheme:light dark;color:CanvasText;background:Canvas}guichet-widget{--guichet-accent:#ffe14d}</style>`,
      policy: `default-src 'none'; script-src ${counter.service.url}; connect-src ${counter.service.url}; style-src 'nonce-page'`,
    })
    await using page = await browser.page(address, context)
    const opener = page.getByRole("button", { name: "Poser une question" })
    expect(await styleOf(opener, "background-color", "border-radius")).toEqual([blue, "0px"])
    await opener.click()
    const field = page.getByLabel("Votre question")
    expect(await styleOf(field, "background-color", "border-bottom-width", "border-top-width")).toEqual([
      grey,
      "2px",
      "0px",
    ])
    expect(await styleOf(field, "outline-color", "outline-width", "outline-offset")).toEqual([
      "rgb(10, 118, 246)",
      "2px",
      "2px",
    ])
    await expectNothing(page, "open")
    await field.fill(answerable)
    await page.keyboard.press("Enter")
    await page.getByText("Réponse prête").waitFor()
    await expectNothing(page, "answered")
    await field.fill(foreign)
    await page.keyboard.press("Enter")
    await page.getByText("Aucune réponse trouvée").waitFor()
    await page.getByRole("button", { name: "Nous écrire" }).click()
    const section = page.getByRole("region", { name: "Nous écrire" })
    await section.getByLabel("Votre nom").waitFor()
    expect(await styleOf(section.getByLabel("Votre nom"), "background-color", "border-top-width")).toEqual([
      grey,
      "0px",
    ])
    await expectNothing(page, "contact")
    await section.getByRole("button", { name: "Envoyer" }).click()
    await section.getByText("Remplissez ce champ.").first().waitFor()
    await expectNothing(page, "refused")
    expect(await wide(page)).toBe(0)
  })

  test.each(looks)("on a form's own pages, %s, %d pixels wide", async (colorScheme, width, blue, grey) => {
    await using page = await browser.page(hosted, { colorScheme, viewport: { width, height: 700 } })
    const [name, button] = [page.getByLabel("Votre nom"), page.getByRole("button", { name: "Envoyer" })]
    expect(await styleOf(name, "background-color", "border-bottom-width")).toEqual([grey, "2px"])
    expect(await styleOf(button, "background-color", "border-radius")).toEqual([blue, "0px"])
    await name.focus()
    expect(await styleOf(name, "outline-color", "outline-offset")).toEqual(["rgb(10, 118, 246)", "2px"])
    await expectNothing(page, "empty")
    // The browser itself would ask first.
    await page.locator("form").evaluate((form: HTMLFormElement) => form.setAttribute("novalidate", ""))
    await button.click()
    await page.getByText("Remplissez ce champ.").first().waitFor()
    const group = page.locator(".guichet-form > p", { has: name })
    expect(await styleOf(group, "border-left-width", "border-left-style")).toEqual(["2px", "solid"])
    await expectNothing(page, "refused")
    clock.move(10 * secondMs)
    await name.fill("Camille")
    await page.getByLabel("J’accepte").check()
    await button.click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    await expectNothing(page, "sent")
    expect(await wide(page)).toBe(0)
    await page.goto(`${hosted}/thanks`)
    expect(await styleOf(page.locator("main"), "border-radius")).toEqual(["0px"])
    await expectNothing(page, "thanks")
    expect(await wide(page)).toBe(0)
  })

  test("in the search of the panel", async () => {
    await api.patch(settings, { search: true })
    await using page = await browser.page(counter.page("/etat-recherche"), { colorScheme: "dark" })
    await page.getByRole("button", { name: "Poser une question" }).click()
    const search = page.getByRole("combobox", { name: "Rechercher une page" })
    await search.fill("mot")
    await page.getByRole("option").first().waitFor()
    expect(await styleOf(search, "border-bottom-width", "border-top-width")).toEqual(["2px", "0px"])
    await expectNothing(page, "search")
    await api.patch(settings, { search: false })
  })

  test("is chosen in the console, which says who may, asks to confirm it, and previews it meanwhile", async () => {
    await api.patch(settings, { look: "guichet", state_site: false })
    await using page = await browser.page(`${counter.service.url}/console/sign-in`, {})
    await signIn(page, counter.service)
    await page.goto(`${counter.service.url}/console/projects/${counter.project.id}/appearance`)
    await unfold(page)
    const law = page.getByText("Collectivités territoriales et acteurs privés ne peuvent pas l’employer")
    expect(await law.isVisible()).toBe(false)
    await page.getByLabel("Apparence", { exact: true }).selectOption("dsfr")
    await law.waitFor()
    await page.waitForFunction(() => {
      const frame = document.querySelector<HTMLIFrameElement>("[data-preview]")
      const root = frame?.contentDocument?.querySelector("guichet-widget")?.shadowRoot
      const button = root?.querySelector("[part=button]")
      return button && getComputedStyle(button).borderRadius === "0px"
    })
    await page.getByRole("button", { name: "Enregistrer" }).click()
    await page.getByText("Le système de design de l’État est réservé aux sites de l’État").first().waitFor()
    await expectNothing(page, "refused")
    await page.getByLabel("Je confirme que ce site est un site de l’État").check()
    await page.getByRole("button", { name: "Enregistrer" }).click()
    await page.getByText("L’apparence est enregistrée.").waitFor()
    expect((await api.get(settings)).body).toMatchObject({ look: "dsfr", state_site: true })
  })
})
