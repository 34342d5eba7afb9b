import { expect, test } from "bun:test"
import { secondMs } from "../../src/base/clock.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser } from "../support/browser.ts"
import { formVisits } from "../support/form-visits.ts"

describeInBrowser("a form of several steps", () => {
  const visits = formVisits()
  const { clock } = visits

  const fields = [
    { name: "p1", label: "Votre demande", type: "page" },
    { name: "objet", label: "Objet", type: "text", required: true },
    { name: "p2", label: "Vous", type: "page" },
    { name: "courriel", label: "Courriel", type: "email", required: true },
  ]

  for (const javaScriptEnabled of [false, true])
    test(`is gone through by keyboard at 320 px ${javaScriptEnabled ? "with" : "without"} JavaScript, back and forth`, async () => {
      const form = await visits.aForm(fields, { name: "Étapes" })
      const viewport = { width: 320, height: 640 }
      await using page = await visits.browser.page(form.action, { viewport, javaScriptEnabled })
      const check = async (state: string) => {
        if (javaScriptEnabled) await expectNothing(page, state)
      }
      await page.getByText("Étape 1 sur 2").waitFor()
      await check("first")
      await page.getByLabel("Objet").fill("Un devis")
      clock.move(10 * secondMs)
      // Enter goes on, not back.
      await page.keyboard.press("Enter")
      await page.getByText("Étape 2 sur 2").waitFor()
      expect(await page.title()).toStartWith("Étape 2 sur 2 – Étapes")
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await check("second")
      // Both buttons are whole, and apart from one another.
      const boxOf = async (name: string) => {
        const {
          x = 0,
          y = 0,
          width = 0,
          height = 0,
        } = (await page.getByRole("button", { name }).boundingBox()) ?? {}
        return { left: x, top: y, right: x + width, bottom: y + height }
      }
      const [send, back] = [await boxOf("Envoyer"), await boxOf("Étape précédente")]
      for (const { left, right } of [send, back]) expect([left > 0, right <= 320]).toEqual([true, true])
      expect(back.top >= send.bottom + 8 || back.left >= send.right + 8).toBe(true)
      await page.getByRole("button", { name: "Étape précédente" }).click()
      await page.getByText("Étape 1 sur 2").waitFor()
      expect(await page.getByLabel("Objet").inputValue()).toBe("Un devis")
      await page.getByRole("button", { name: "Continuer" }).click()
      await page.getByText("Étape 2 sur 2").waitFor()
      if (javaScriptEnabled) {
        // A fault of an earlier step, as a page that was tampered with sends it.
        await page.locator("[name=objet]").evaluate((input) => input.remove())
        await page.getByLabel("Courriel").fill("camille@exemple.fr")
        await page.getByRole("button", { name: "Envoyer" }).click()
        await page.getByText("Étape 1 sur 2").waitFor()
        await page.getByText("Remplissez ce champ.").waitFor()
        await check("a fault")
        await page.getByLabel("Objet").fill("Un devis")
        await page.getByRole("button", { name: "Continuer" }).click()
        // One of the last step, whose page then says that nothing was sent, until something is.
        await page.getByText("Étape 2 sur 2").waitFor()
        await page.getByLabel("Courriel").fill("")
        await page.getByRole("button", { name: "Envoyer" }).click()
        await page.getByText("Votre message n’a pas été envoyé").waitFor()
      }
      await page.getByLabel("Courriel").fill("camille@exemple.fr")
      await page.getByRole("button", { name: "Envoyer" }).click()
      await page.getByText("Votre message a bien été envoyé.").waitFor()
      expect(await page.getByText("n’a pas été envoyé").count()).toBe(0)
      expect((await form.responses()).map(({ values }: { values: object }) => values)).toEqual([
        { objet: "Un devis", courriel: "camille@exemple.fr" },
      ])
    })
})
