import { afterAll, beforeAll, expect, test } from "bun:test"
import type { OutgoingMail } from "../../../src/mail/outbox.ts"
import { apiOf } from "../../support/api.ts"
import { movableClock } from "../../support/clock.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

let service: Service
let client: ConsoleClient
let form: string
const mails: OutgoingMail[] = []

beforeAll(async () => {
  service = await aService()
    .withOverrides({ sendMail: async (mail) => void mails.push(mail) })
    .started()
  client = await signedIn(service)
  const project = await client.post("/console/projects", { name: "Docs", site: "https://docs.exemple.fr" })
  const path = project.location?.replace(/indexing.*/, "forms") as string
  const field = { field_count: "1", "fields.0.label": "Votre nom", "fields.0.type": "text" }
  const made = await client.post(`${path}/new`, { name: "Contact", ...field })
  form = made.location?.replace(/\/html.*/, "") as string
})
afterAll(() => service[Symbol.asyncDispose]())

test("the link of the mail about a new response leads to it", async () => {
  const owner_mail = { to: "patron@exemple.fr", contents: false }
  const api = await apiOf(service)
  const { body } = await api.patch(`/api/v1/forms/${form.split("/").at(-1)}`, { owner_mail })
  await fetch(`${service.url}/f/${body.public_id}`, {
    method: "POST",
    headers: { origin: "https://docs.exemple.fr" },
    body: new URLSearchParams({ votre_nom: "Camille" }),
  })
  await service.app.mailer.sendDue()
  const [link = ""] = /http:\S+/.exec(mails[0]?.text ?? "") ?? []
  const { pathname, hash } = new URL(link)
  const { status, text } = await client.get(pathname)
  expect(status).toBe(200)
  expect(text).toContain(`id="${hash.slice(1)}"`)
  expect(text).toContain("Camille")
})

test("what is wrong with a filter stands at its field, and what was typed is there", async () => {
  for (const [name, value, sentence] of [
    ["since", "hier", "Choisissez un jour"],
    ["state", "perdues", "Choisissez parmi"],
  ] as const) {
    const { status, text } = await client.get(`${form}?search=Dupont&${name}=${value}`)
    expect([name, status]).toEqual([name, 400])
    expect(text).toMatch(new RegExp(`id="${name}-problem">${sentence}`))
    expect(text).toContain('value="Dupont"')
  }
  expect((await client.get(`${form}?since=2026-11-01&search=Dupont`)).status).toBe(200)
})

test("a day begins at midnight where the owner is, in the list and in its export", async () => {
  const clock = movableClock()
  await using paris = await aService()
    .withSettings({ GUICHET_TIMEZONE: "Europe/Paris" })
    .withClock(clock)
    .started()
  const api = await apiOf(paris)
  const project = (await api.post("/api/v1/projects", { name: "Site", site: "https://www.acme.fr" })).body.id
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const { id, public_id } = (await api.post("/api/v1/forms", { project, name: "Contact", fields })).body
  for (const [time, nom] of [
    ["2026-07-10T21:59:00Z", "Veille"],
    ["2026-07-10T22:01:00Z", "Lendemain"],
  ] as const) {
    clock.move(Date.parse(time) - clock.now())
    await fetch(`${paris.url}/f/${public_id}`, {
      method: "POST",
      headers: { origin: "https://www.acme.fr", "content-type": "application/json" },
      body: JSON.stringify({ nom }),
    })
  }
  const owner = await signedIn(paris)
  for (const path of ["", "/responses.csv"]) {
    const { text } = await owner.get(`/console/projects/${project}/forms/${id}${path}?since=2026-07-11`)
    expect([path, text.includes("Lendemain"), text.includes("Veille")]).toEqual([path, true, false])
  }
})

test("who sorts out a list comes back to it", async () => {
  const path = `${form}/responses/resp_0/erasure?state=unwanted&search=x&done=y`
  expect((await client.post(path)).location).toBe(`${form}?state=unwanted&search=x&done=erased`)
})
