import { afterAll, beforeAll, expect, test } from "bun:test"
import { insertWorkspace } from "../../../src/accounts/workspace.ts"
import type { OutgoingMail } from "../../../src/mail/outbox.ts"
import { apiOf } from "../../support/api.ts"
import { movableClock } from "../../support/clock.ts"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
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

async function post(publicId: string, values: Record<string, string>): Promise<void> {
  const reply = await fetch(`${service.url}/f/${publicId}`, {
    method: "POST",
    headers: { origin: "https://docs.exemple.fr" },
    body: new URLSearchParams(values),
    redirect: "manual",
  })
  expect(reply.status).toBeLessThan(400)
}

/** A form of its own with a name, an e-mail and a text; and the page of its messages. */
async function aForm(name: string): Promise<{ id: string; publicId: string; path: string }> {
  const api = await apiOf(service)
  const [, project = ""] = /projects\/([^/]+)/.exec(form) ?? []
  const fields = [
    { name: "nom", label: "Nom", type: "text" },
    { name: "adresse", label: "Adresse e-mail", type: "email" },
    { name: "message", label: "Message", type: "textarea" },
  ]
  const { body } = await api.post("/api/v1/forms", { project, name, fields })
  return { id: body.id, publicId: body.public_id, path: `/console/projects/${project}/forms/${body.id}` }
}

const textOf = (html: string) =>
  html
    .slice(html.indexOf("<main"))
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")

test("the link of the mail about a new response opens it", async () => {
  const owner_mail = { to: "patron@exemple.fr", contents: false }
  const api = await apiOf(service)
  const { body } = await api.patch(`/api/v1/forms/${form.split("/").at(-1)}`, { owner_mail })
  await service.app.mailer.sendDue()
  const [asked = ""] = /http:\S+/.exec(mails.splice(0)[0]?.text ?? "") ?? []
  await fetch(service.url + new URL(asked).pathname, { method: "POST" })
  await post(body.public_id, { votre_nom: "Camille" })
  await service.app.mailer.sendDue()
  const [link = ""] = /http:\S+/.exec(mails[0]?.text ?? "") ?? []
  const { status, text } = await client.get(new URL(link).pathname)
  expect(status).toBe(200)
  expect(text).toContain("<h1>Camille</h1>")
})

test("the messages of a project are those of all its forms, newest first, each with its beginning", async () => {
  const [devis, inscription] = [await aForm("Devis"), await aForm("Inscription")]
  await post(devis.publicId, {
    nom: "Zoé Étienne",
    adresse: "zoe@exemple.fr",
    message: "Bonjour,\n\nun devis s’il vous plaît.",
  })
  await post(inscription.publicId, { nom: "Maël", adresse: "mael@exemple.fr", message: "x".repeat(500) })
  const list = devis.path.replace(/forms.*/, "messages")
  const text = textOf((await client.get(list)).text)
  expect(text).toMatch(/Maël \(non lu\) mael@exemple\.fr x{120}… Inscription .* Zoé Étienne \(non lu\)/)
  expect(text).toContain("zoe@exemple.fr Bonjour, un devis s’il vous plaît. Devis")
  const found = async (query: string) => {
    const shown = textOf((await client.get(`${list}?${query}`)).text)
    return ["Maël", "Zoé"].filter((name) => shown.includes(`${name} `))
  }
  expect(await found("search=etien+zo")).toEqual(["Zoé"])
  expect(await found("search=MAEL")).toEqual(["Maël"])
  expect(await found("search=introuvable")).toEqual([])
  expect(await found(`form=${devis.id}`)).toEqual(["Zoé"])
  expect(await found(`form=${devis.id}&search=mael`)).toEqual([])
})

test("a message without a long text is shown by what tells most of it, and a number never without its label", async () => {
  const api = await apiOf(service)
  const [, project = ""] = /projects\/([^/]+)/.exec(form) ?? []
  const options = [{ value: "s1", label: "Samedi à 10 h" }]
  const fields = [
    { name: "nom", label: "Nom", type: "text" },
    { name: "participants", label: "Participants", type: "number" },
    { name: "seance", label: "Séance", type: "select", options },
  ]
  const { body } = await api.post("/api/v1/forms", { project, name: "Inscription", fields })
  await post(body.public_id, { nom: "Nour", participants: "4", seance: "s1" })
  await post(body.public_id, { nom: "Noa", participants: "5", seance: "" })
  const text = textOf((await client.get(`/console/projects/${project}/messages`)).text)
  expect(text).toMatch(/Noa \(non lu\) Participants : 5 Inscription/)
  expect(text).toMatch(/Nour \(non lu\) Samedi à 10 h Inscription/)
})

test("a message is read once somebody has opened it, or has marked what is shown as read", async () => {
  const { publicId, path } = await aForm("Lecture")
  for (const nom of ["Un", "Deux"]) await post(publicId, { nom, message: "bonjour" })
  const unread = async () => (await client.get(path)).text.match(/class="unread"/g)?.length ?? 0
  expect(await unread()).toBe(2)
  const { text } = await client.get(path)
  const [, address = ""] = /href="([^"]+responses\/resp_[^"]+)">Deux</.exec(text) ?? []
  expect((await client.get(address)).status).toBe(200)
  expect(await unread()).toBe(1)
  expect(textOf((await client.get(`${path}?unread=yes`)).text)).not.toContain("Deux")
  const read = formIn(text, /action="([^"]*messages\/read[^"]*)"/.exec(text)?.[1] ?? "")
  // One that comes after the page was shown stays unread.
  await post(publicId, { nom: "Trois", message: "bonjour" })
  const done = await client.post(`${path.replace(/forms.*/, "messages")}/read`, read)
  expect([done.status, done.location]).toEqual([303, `${path}?done=read`])
  expect(await unread()).toBe(1)
  const viewer = await signedIn(service, "viewer")
  expect((await viewer.post(`${path.replace(/forms.*/, "messages")}/read`, read)).status).toBe(403)
})

test("a message that was read is marked as unread again from its page", async () => {
  const { publicId, path } = await aForm("À relire")
  await post(publicId, { nom: "Un", message: "bonjour" })
  const unread = async () => (await client.get(path)).text.match(/class="unread"/g)?.length ?? 0
  const [, address = ""] = /href="([^"]+responses\/resp_[^"]+)">Un</.exec((await client.get(path)).text) ?? []
  expect((await client.get(address)).text).toContain("Marquer comme non lu")
  expect(await unread()).toBe(0)
  const done = await client.post(`${address.replace(/\?.*/, "")}/unread`, {})
  expect([done.status, done.location]).toEqual([303, `${path}?done=unread`])
  expect(await unread()).toBe(1)
  const viewer = await signedIn(service, "viewer")
  expect((await viewer.post(`${address.replace(/\?.*/, "")}/unread`, {})).status).toBe(403)
})

test("what was held is counted above the list that leaves it out, and one click away", async () => {
  const { publicId, path } = await aForm("Retenus")
  const list = path.replace(/forms.*/, "messages")
  expect((await client.get(list)).text).not.toContain("À vérifier")
  const start = (await (await fetch(`${service.url}/f/${publicId}/start`)).json()) as { started: string }
  await post(publicId, { nom: "Robot", message: "bonjour", guichet_started: start.started })
  const { text } = await client.get(list)
  expect(text).toContain(`<a href="${list}?state=held">À vérifier (1)</a>`)
  const held = (await client.get(`${list}?state=held`)).text
  expect(held).toContain(`<a href="${list}?state=held" aria-current="page">À vérifier (1)</a>`)
  expect(held).toContain("Robot")
})

test("the page of a message shows its values, its consent, its deliveries and the page it came from", async () => {
  const { publicId, path, id } = await aForm("Complet")
  const api = await apiOf(service)
  await api.patch(`/api/v1/forms/${id}`, { consent: { text: "J’accepte." } })
  await post(publicId, {
    nom: "Sacha",
    message: "un mot",
    consent: "on",
    page: "https://docs.exemple.fr/contact?x",
  })
  const { text } = await client.get(path)
  const [, address = ""] = /href="([^"]+responses\/resp_[^"]+)"/.exec(text) ?? []
  const shown = textOf((await client.get(address)).text)
  for (const part of [
    "Nom Sacha",
    "Message un mot",
    "J’accepte.",
    "https://docs.exemple.fr/contact ",
    "Complet",
  ])
    expect(shown).toContain(part)
  expect(shown).toContain("n’a été envoyé à aucune destination")
  const other = address.replace(id, form.split("/").at(-1) as string)
  expect((await client.get(other)).status).toBe(404)
  const elsewhere = await insertWorkspace(service.app.db, "Ailleurs", Date.now())
  expect((await (await signedIn(service, "owner", elsewhere)).get(address)).status).toBe(404)
})

test("what is wrong with a filter stands at its field, and what was typed is there", async () => {
  for (const [name, value, sentence] of [
    ["since", "hier", "Choisissez un jour"],
    ["state", "perdues", "Valeurs possibles"],
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
  const { id: formId, publicId, path: form } = await aForm("Rangement")
  const erasure = async () => {
    await post(publicId, { nom: "À effacer", message: "bonjour" })
    const { id } = await service.app.db
      .selectFrom("form_response")
      .select("id")
      .where("form_id", "=", formId)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow()
    return `${form}/responses/${id}/erasure?state=unwanted&search=x&done=y`
  }
  expect((await client.post(await erasure())).location).toBe(`${form}?state=unwanted&search=x&done=erased`)
  const list = form.replace(/forms.*/, "messages")
  expect((await client.post(`${await erasure()}&list=project`)).location).toBe(
    `${list}?state=unwanted&search=x&done=erased`,
  )
})

test("an erasure of a response that is not of this form is 404 and stands in no audit log", async () => {
  const api = await apiOf(service)
  const logged = async () => (await api.get("/api/v1/journal?limit=100")).body.items as object[]
  const before = await logged()
  for (const id of ["resp_0", "x", "resp_01a217ed692f7535ad7ce8590afc02f6"]) {
    const { status, location, text } = await client.post(`${form}/responses/${id}/erasure`)
    expect([status, location, text.includes("effacé")]).toEqual([404, null, false])
  }
  expect(await logged()).toEqual(before)
})

test("a list has a column of deliveries once one of its messages is sent to an application", async () => {
  await using forms = await aService().withForms().started()
  const reader = await signedIn(forms.service, "viewer", forms.api.workspaceId)
  const { id, json } = await forms.form()
  const path = `/console/projects/${forms.projectId}/forms/${id}`
  const isHeaded = async () => (await reader.get(path)).text.includes("Livraisons</th>")
  await json({ nom: "Avant" })
  expect(await isHeaded()).toBe(false)
  await forms.api.post("/api/v1/endpoints", { kind: "test" })
  await json({ nom: "Après" })
  expect(await isHeaded()).toBe(true)
})
