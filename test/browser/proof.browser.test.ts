import { afterAll, beforeAll, expect, test } from "bun:test"
import { secondMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import type { Counter } from "../support/counter.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"

// A form that wants a proof of work, as visitors send it from its own page and from a page of the site.

describeInBrowser("a proof of work", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  const clock = movableClock()
  beforeAll(async () => {
    // The address that the scripts are of is told beforehand.
    const settings = { GUICHET_PORT: String(await freePort()) }
    ;[counter, browser] = await Promise.all([
      aService().withSettings(settings).withClock(clock).withWebsite().started(),
      startBrowser(),
    ])
    api = await apiOf(counter.service)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  async function aForm() {
    const fields = [{ name: "nom", label: "Nom", type: "text", required: true }]
    const described = {
      project: counter.project.id,
      name: "Contact",
      fields,
      hosted: true,
      proof_of_work: true,
    }
    const form = (await api.post("/api/v1/forms", described)).body
    const names = async () =>
      (await api.get(`/api/v1/forms/${form.id}/responses`)).body.items.map(
        ({ values }: { values: { nom: string } }) => values.nom,
      )
    return { ...form, names, page: form.action as string }
  }

  for (const place of ["its own page", "a page of the site"] as const)
    test(`is made by the browser on ${place}`, async () => {
      const form = await aForm()
      const copied = (await api.get(`/api/v1/forms/${form.id}/html`)).body
      const { publicUrl } = counter.service.app.config
      // No worker, no blob.
      const policy = `default-src 'none'; script-src ${publicUrl}; style-src ${publicUrl}; connect-src ${publicUrl}; form-action ${publicUrl}`
      const address =
        place === "its own page"
          ? form.page
          : counter.page(`/proof-${form.id}`, `<main><h1>Contact</h1>${copied}</main>`, {
              scripts: "",
              policy,
            })
      await using page = await browser.page(address)
      await expectNothing(page, place)
      clock.move(10 * secondMs)
      // The faults of its fields are told as ever.
      await page.getByRole("button", { name: "Envoyer" }).click()
      await page.getByText("Remplissez ce champ.").waitFor()
      await page.getByLabel("Nom").fill("Camille")
      await page.keyboard.press("Enter")
      await page.getByText("Votre message a bien été envoyé.").waitFor()
      expect(await form.names()).toEqual(["Camille"])
    })

  test("is told to be needed where no script runs, and what was typed stays", async () => {
    const form = await aForm()
    await using page = await browser.page(form.page, { javaScriptEnabled: false })
    await page.getByLabel("Nom").fill("Camille")
    clock.move(10 * secondMs)
    await page.getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("Ce formulaire demande JavaScript").waitFor()
    expect(await page.getByLabel("Nom").inputValue()).toBe("Camille")
    expect(await form.names()).toEqual([])
  })
})
