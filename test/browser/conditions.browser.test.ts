import { expect, test } from "bun:test"
import type { BrowserContextOptions } from "playwright-core"
import { secondMs } from "../../src/base/clock.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser } from "../support/browser.ts"
import { formPlaces, formVisits } from "../support/form-visits.ts"

// Fields that depend on others, as visitors see them on the form's own page and on a page of the site.

describeInBrowser("a field that depends on another", () => {
  const visits = formVisits()
  const { clock } = visits

  const only = (field: string, test: string, ...values: string[]) => ({
    match: "all",
    conditions: [{ field, test, values }],
  })
  const options = [
    { value: "devis", label: "Un devis" },
    { value: "panne", label: "Une panne" },
  ]
  const fields = [
    { name: "objet", label: "Objet", type: "radio", required: true, options },
    { name: "budget", label: "Budget", type: "number", required: true, when: only("objet", "is", "devis") },
    { name: "delai", label: "Délai", type: "text", when: only("budget", "filled") },
    { name: "avis", label: "Appelez-nous.", type: "paragraph", when: only("objet", "is_not", "devis") },
    { name: "nom", label: "Nom", type: "text", required: true },
  ]

  const aForm = () => visits.aForm(fields)

  const small: BrowserContextOptions = { viewport: { width: 320, height: 640 } }

  for (const place of formPlaces)
    test(`is shown and hidden at once on ${place}, and sent only where it is shown`, async () => {
      const form = await aForm()
      await using page = await visits.browser.page(await visits.addressAt(place, form), small)
      const [budget, delay] = [page.locator("[name=budget]"), page.locator("[name=delai]")]
      await budget.waitFor({ state: "hidden" })
      expect(await delay.isVisible()).toBe(false)
      expect(await page.getByText("Appelez-nous.").isVisible()).toBe(true)
      expect(await page.getByText("Seulement si").count()).toBe(0)
      await expectNothing(page, `${place}, hidden`)
      await page.getByRole("radio", { name: "Un devis" }).focus()
      await page.keyboard.press("Space")
      await budget.waitFor()
      // Whoever uses the keyboard goes on from where they were.
      expect(
        await page.getByRole("radio", { name: "Un devis" }).evaluate((box) => box === document.activeElement),
      ).toBe(true)
      await page.keyboard.press("Tab")
      await page.keyboard.type("12")
      await delay.fill("Vite")
      await expectNothing(page, `${place}, shown`)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      // What was typed is still there, should it be shown again.
      await page.getByLabel("Une panne").check()
      await delay.waitFor({ state: "hidden" })
      await page.getByRole("radio", { name: "Un devis" }).check()
      expect(await budget.inputValue()).toBe("12")
      await page.getByLabel("Une panne").check()
      await page.getByLabel("Nom").fill("Camille")
      clock.move(10 * secondMs)
      await page.getByRole("button", { name: "Envoyer" }).click()
      await page.getByText("Votre message a bien été envoyé.").waitFor()
      expect((await form.responses())[0].values).toEqual({
        objet: "panne",
        budget: "",
        delai: "",
        nom: "Camille",
      })
    })

  test("stands there with a sentence where no script runs, and is judged all the same", async () => {
    const form = await aForm()
    await using page = await visits.browser.page(form.action, { ...small, javaScriptEnabled: false })
    expect(
      await page.getByText("Seulement si «\u00a0Objet\u00a0» est «\u00a0Un devis\u00a0».").isVisible(),
    ).toBe(true)
    await page.getByRole("radio", { name: "Un devis" }).check()
    await page.getByLabel("Nom").fill("Camille")
    clock.move(10 * secondMs)
    const send = page.getByRole("button", { name: "Envoyer" })
    await send.click()
    await page.getByText("Remplissez ce champ.").waitFor()
    await page.getByLabel("Une panne").check()
    await page.locator("[name=budget]").fill("12")
    await send.click()
    await page.getByRole("heading", { name: "Merci" }).waitFor()
    expect((await form.responses())[0].values).toEqual({
      objet: "panne",
      budget: "",
      delai: "",
      nom: "Camille",
    })
  })

  test("is shown and hidden in the panel of the assistant, too", async () => {
    const form = await aForm()
    await using page = await visits.pageWithPanel(form, small)
    const budget = page.locator("[name=budget]")
    await budget.waitFor({ state: "hidden" })
    await page.getByRole("radio", { name: "Un devis" }).check()
    await budget.waitFor()
    await expectNothing(page, "the panel")
  })
})
