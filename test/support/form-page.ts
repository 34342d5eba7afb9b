import { apiOf } from "./api.ts"
import { type QuietPage, startBrowser } from "./browser.ts"
import type { MovableClock } from "./clock.ts"
import { aService } from "./service-builder.ts"

const fields = [
  { name: "nom", label: "Votre nom", type: "text", required: true },
  { name: "adresse", label: "Votre adresse", type: "email", required: true },
  {
    name: "sujet",
    label: "Sujet",
    type: "radio",
    required: true,
    options: [
      { value: "question", label: "Une question" },
      { value: "idee", label: "Une idée" },
    ],
  },
  { name: "message", label: "Votre message", type: "textarea" },
  { name: "regles", label: "J’accepte les règles", type: "checkbox", required: true },
  { name: "origine", label: "Origine", type: "hidden", required: true },
]

/** As the documentation shows it. */
export const markup = (
  action: string,
  more = "",
) => `<main><h1>Contact</h1><form action="${action}" method="post">
  <label>Votre nom <input name="nom" required></label>
  <p><label for="a">Votre adresse</label> <input id="a" name="adresse" type="email" aria-describedby="aide"><span id="aide">Pour vous répondre.</span></p>
  <fieldset><legend>Sujet</legend><label><input type="radio" name="sujet" value="question"> Une question</label><label><input type="radio" name="sujet" value="idee"> Une idée</label></fieldset>
  <label>Votre message <textarea name="message"></textarea></label>
  <label><input type="checkbox" name="regles"> J’accepte les règles</label>
  <input type="hidden" name="origine" value="site">${more}
  <button>Envoyer</button></form></main>`

export interface FormPage extends QuietPage {
  formId: string
  action: string
}

export type FormPages = Awaited<ReturnType<typeof openFormPages>>

/** Pages of a declared site with form.js, each with a form of its own, in one browser. */
export async function openFormPages(clock: MovableClock) {
  const [counter, browser] = await Promise.all([
    aService().withClock(clock).withWebsite().started(),
    startBrowser(),
  ])
  const api = await apiOf(counter.service)
  let pages = 0
  const responses = async ({ formId }: FormPage, state = "received") =>
    (await api.get(`/api/v1/forms/${formId}/responses?state=${state}`)).body.items

  return {
    counter,
    api,
    responses,
    stored: async (page: FormPage) => [...(await responses(page)), ...(await responses(page, "held"))],
    async visit(described: object = {}, html = markup, options = {}): Promise<FormPage> {
      const form = { project: counter.project.id, name: "Contact", fields, ...described }
      const made = await api.post("/api/v1/forms", form)
      const action = `${counter.service.url}/f/${made.body.public_id}`
      const page = await browser.page(counter.page(`/form-${++pages}`, html(action), options))
      return Object.assign(page, { formId: made.body.id as string, action })
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await counter[Symbol.asyncDispose]()
    },
  }
}

export async function fill(page: QuietPage): Promise<void> {
  await page.getByLabel("Votre nom").fill("Camille")
  await page.getByLabel("Votre adresse").fill("camille@exemple.fr")
  await page.getByLabel("Une idée").check()
  await page.getByLabel("Votre message").fill("Bonjour,\nmerci.")
  await page.getByLabel("J’accepte les règles").check()
}

export const send = (page: QuietPage) => page.getByRole("button", { name: "Envoyer" }).click()
