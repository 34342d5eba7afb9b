import { expect, test } from "bun:test"
import { secondMs } from "../../src/base/clock.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser } from "../support/browser.ts"
import { foreign } from "../support/counter.ts"
import { contents } from "../support/files.ts"
import { formPlaces, formVisits } from "../support/form-visits.ts"

// A form that wants a proof of work, as visitors send it from its own page, a page of the site and the panel.

describeInBrowser("a proof of work", () => {
  const visits = formVisits()
  const { clock } = visits

  const name = { name: "nom", label: "Nom", type: "text", required: true }
  const aForm = (fields: object[] = [name]) => visits.aForm(fields, { proof_of_work: true })

  for (const place of formPlaces)
    test(`is made by the browser on ${place}`, async () => {
      const form = await aForm()
      await using page = await visits.browser.page(await visits.addressAt(place, form))
      await expectNothing(page, place)
      expect(await page.getByText("Ce formulaire demande JavaScript").isVisible()).toBe(false)
      clock.move(10 * secondMs)
      // The faults of its fields are told as ever.
      await page.getByRole("button", { name: "Envoyer" }).click()
      await page.getByText("Remplissez ce champ.").waitFor()
      await page.getByLabel("Nom").fill("Camille")
      await page.keyboard.press("Enter")
      await page.getByText("Votre message a bien été envoyé.").waitFor()
      expect(await form.responses()).toMatchObject([{ values: { nom: "Camille" } }])
    })

  test("is made in the panel of the assistant, for a form of steps, with a condition and a file", async () => {
    const options = [
      { value: "devis", label: "Un devis" },
      { value: "panne", label: "Une panne" },
    ]
    const isFailure = { match: "all", conditions: [{ field: "objet", test: "is", values: ["panne"] }] }
    const form = await aForm([
      { name: "p1", label: "Votre demande", type: "page" },
      { name: "objet", label: "Objet", type: "radio", required: true, options },
      { name: "message", label: "Votre message", type: "textarea", required: true },
      { name: "p2", label: "Vous", type: "page" },
      { ...name, when: isFailure },
      { name: "capture", label: "Une capture", type: "file" },
    ])
    await using page = await visits.pageWithPanel(form)
    const section = page.getByRole("region", { name: "Nous écrire" })
    await section.getByLabel("Une panne").check()
    expect(await section.getByText("Ce formulaire demande JavaScript").isVisible()).toBe(false)
    const file = { name: "capture.png", mimeType: "image/png", buffer: contents.png }
    await section.getByLabel("Une capture").setInputFiles(file)
    clock.move(10 * secondMs)
    const send = section.getByRole("button", { name: "Envoyer" })
    await send.click()
    await section.getByText("Remplissez ce champ.").waitFor()
    await expectNothing(page, "the panel")
    await section.getByLabel("Nom").fill("Camille")
    await send.dblclick()
    await section.getByText("Votre message a bien été envoyé.").waitFor()
    expect(await form.responses()).toMatchObject([
      {
        values: { objet: "panne", message: foreign, nom: "Camille" },
        files: [{ name: "capture.png", media_type: "image/png" }],
      },
    ])
  })

  test("is told to be needed where no script runs, and what was typed stays", async () => {
    const form = await aForm()
    await using page = await visits.browser.page(form.action, { javaScriptEnabled: false })
    // Before anything is typed.
    const told = page.locator("noscript p")
    await told.waitFor()
    expect(await told.textContent()).toStartWith(
      "Ce formulaire demande JavaScript\u00a0: activez-le puis rechargez",
    )
    await page.getByLabel("Nom").fill("Camille")
    clock.move(10 * secondMs)
    await page.getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("activez-le puis envoyez de nouveau").waitFor()
    expect(await page.getByLabel("Nom").inputValue()).toBe("Camille")
    expect(await form.responses()).toEqual([])
  })

  test("is made, and the form sent, by a browser that is older than the form helper", async () => {
    const form = await aForm()
    await using page = await visits.browser.page("about:blank", {})
    await page.addInitScript(() => {
      Reflect.deleteProperty(AbortSignal, "timeout")
      Reflect.deleteProperty(HTMLFormElement.prototype, "requestSubmit")
    })
    await page.goto(form.action)
    await page.getByLabel("Nom").fill("Camille")
    clock.move(10 * secondMs)
    await page.getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(await form.responses()).toMatchObject([{ values: { nom: "Camille" } }])
  })

  test("that something keeps from being made is told as that, and what was typed stays", async () => {
    const form = await aForm()
    await using page = await visits.browser.page(form.action, {})
    await page.route(/\/start$/, (route) => route.abort())
    await page.getByLabel("Nom").fill("Camille")
    await page.getByRole("button", { name: "Envoyer" }).click()
    await page.getByText("la connexion, une extension du navigateur ou cette page l’empêche").waitFor()
    expect(await page.getByLabel("Nom").inputValue()).toBe("Camille")
  })
})
