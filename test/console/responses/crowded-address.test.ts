import { afterAll, beforeAll, expect, test } from "bun:test"
import { dayMs, minuteMs } from "../../../src/base/clock.ts"
import { type FormSite, type MadeForm, site } from "../../support/forms.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// Issue L, point 17: who sends is not told that a message was set apart; the owner is.

let forms: FormSite
let client: ConsoleClient
let form: MadeForm
beforeAll(async () => {
  forms = await aService().withSettings({ GUICHET_FORM_PER_VISITOR_MINUTE: "3" }).withForms().started()
  client = await signedIn(forms.service)
  form = await forms.form()
})
afterAll(() => forms[Symbol.asyncDispose]())

const inbox = () => `/console/projects/${forms.projectId}/messages`
async function notices(path = inbox()): Promise<string[]> {
  const { status, text } = await client.get(path)
  expect(status).toBe(200)
  const found = [...text.matchAll(/<p class="notice">(.*?)<\/p>/gs)]
  return found.map(([, html = ""]) => html.replace(/<[^>]+>/g, "").trim())
}
const post = (name: string, address = "203.0.113.7") =>
  form.json({ nom: name }, { "x-forwarded-for": address })

test("« Messages reçus » says nothing of posts that were all received, also of many addresses", async () => {
  for (let number = 1; number <= 6; number++) await post("Camille", `198.51.100.${number}`)
  expect(await notices()).toEqual([])
})

test("it says how many messages of one address were set apart since yesterday, and leads to them", async () => {
  for (let number = 1; number <= 4; number++) await post(`élève ${number}`)
  expect(await notices()).toEqual([
    "Depuis 24 heures, un message a été mis de côté parce que d’autres venaient de la même adresse IP en peu de temps. Le vérifier",
  ])
  await post("élève 5")
  const { text } = await client.get(inbox())
  const [, link = ""] = /2 messages ont été mis de côté.*?<a href="([^"]+)">Les vérifier</s.exec(text) ?? []
  const listed = (await client.get(link.replaceAll("&amp;", "&"))).text
  expect(listed).toContain("élève 4")
  expect(listed).toContain("élève 5")
  expect(listed).not.toContain("élève 3")
  // Only where messages are received, not in the list that it leads to.
  expect(await notices(link)).toEqual([])
})

test("neither what a trap stopped nor what the owner accepted counts, and after a day nothing is said", async () => {
  forms.clock.move(minuteMs)
  await form.json({ nom: "Robot", guichet_trap: "x" })
  const [set] = (await form.responses("state=unwanted")).filter(({ values }) => values.nom === "élève 5")
  await forms.api.post(`/api/v1/forms/${form.id}/responses/${set.id}/acceptance`)
  expect(await notices()).toEqual([expect.stringContaining("un message a été mis de côté")])
  forms.clock.move(dayMs)
  client = await signedIn(forms.service)
  expect(await notices()).toEqual([])
})

test("another project's owner is told nothing of it", async () => {
  for (let number = 1; number <= 4; number++) await post("classe")
  expect(await notices()).toHaveLength(1)
  const other = await forms.api.post("/api/v1/projects", { name: "Autre", site })
  expect(await notices(`/console/projects/${other.body.id}/messages`)).toEqual([])
})
