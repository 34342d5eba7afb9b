import { afterAll, beforeAll, expect, test } from "bun:test"
import { secondMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { movableClock } from "../support/clock.ts"
import type { Counter } from "../support/counter.ts"
import { describeInEngines, startEngine } from "../support/engines.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"

// The browser's own back and forward, over what a visitor has sent: no page asks to send it once more.

const clock = movableClock()
let counter: Counter
let api: Api
beforeAll(async () => {
  const settings = { GUICHET_PORT: String(await freePort()) }
  counter = await aService().withSettings(settings).withClock(clock).withWebsite().started()
  api = await apiOf(counter.service)
})
afterAll(() => counter[Symbol.asyncDispose]())

const next = { is: "button", says: "Continuer" }

describeInEngines(
  "back and forward over steps and an error",
  (name) => {
    for (const javaScript of [true, false])
      test(`find what was typed, ${javaScript ? "with" : "without"} JavaScript`, async () => {
        const described = {
          project: counter.project.id,
          name: "Contact",
          hosted: true,
          fields: ["objet", "courriel", "message"].flatMap((field, at) => [
            { name: `page_${at}`, label: `Page ${at}`, type: "page" },
            { name: field, label: field, type: field === "courriel" ? "email" : "text", required: true },
          ]),
        }
        const form = (await api.post("/api/v1/forms", described)).body
        await using engine = await startEngine(name, { javaScript })
        const { page } = engine
        // The value first: the page that is being left may hold the sentence too.
        const isShown = async (sentence: string, field: string, value: string) => {
          await page.until(
            (field, value) =>
              document.querySelector<HTMLInputElement>(`[name=${field}]:not([type=hidden])`)?.value === value,
            field,
            value,
          )
          await page.reads(sentence)
        }
        await page.goto(form.action)
        await page.fill("[name=objet]", "Un devis")
        await page.click(next)
        await page.reads("Étape 2 sur 3")
        // A browser takes it for an address, the service does not.
        await page.fill("[name=courriel]", "zoe@exemple")
        await page.click(next)
        await page.reads("Indiquez une adresse e-mail complète")
        await page.fill("[name=courriel]", "zoe@exemple.fr")
        await page.click(next)
        await page.reads("Étape 3 sur 3")
        await page.fill("[name=message]", "Bonjour")

        await page.back()
        await isShown("Indiquez une adresse e-mail complète", "courriel", "zoe@exemple.fr")
        await page.back()
        await isShown("Étape 2 sur 3", "courriel", "zoe@exemple")
        await page.back()
        await isShown("Étape 1 sur 3", "objet", "Un devis")
        await page.forward()
        await isShown("Étape 2 sur 3", "courriel", "zoe@exemple")
        await page.forward()
        await isShown("Indiquez une adresse e-mail complète", "courriel", "zoe@exemple.fr")
        await page.forward()
        await isShown("Étape 3 sur 3", "message", "Bonjour")
        clock.move(10 * secondMs)
        await page.click({ is: "button", says: "Envoyer" })
        await page.reads("Votre message a bien été envoyé.")
        const { items } = (await api.get(`/api/v1/forms/${form.id}/responses`)).body
        expect(items.map(({ values }: { values: object }) => values)).toEqual([
          { objet: "Un devis", courriel: "zoe@exemple.fr", message: "Bonjour" },
        ])
      })
  },
  ["Chromium", "Firefox"],
)
