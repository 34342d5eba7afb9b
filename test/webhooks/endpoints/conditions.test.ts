import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { minuteMs } from "../../../src/base/clock.ts"
import { signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

/* An endpoint gets the messages of a form only where a field has one of some values. */

const path = "/api/v1/endpoints"
const url = "https://hooks0.acme.fr/hook"
let webhooks: Webhooks
let form: { id: string; public_id: string }
let other: { id: string; public_id: string }

beforeAll(async () => {
  webhooks = await aService().withReceivers().started()
  const { body: project } = await webhooks.api.post("/api/v1/projects", { name: "A", site: "https://a.fr" })
  const options = ["mairie", "piscine", "voirie"].map((value) => ({ value, label: value }))
  const fields = [
    { name: "service", label: "Service", type: "select", options },
    { name: "sujets", label: "Sujets", type: "checkboxes", options },
    { name: "pieces", label: "Pièces", type: "file" },
    { name: "a_lire", label: "À lire", type: "paragraph" },
    { name: "texte", label: "Texte", type: "text" },
  ]
  const make = async (name: string) =>
    (await webhooks.api.post("/api/v1/forms", { project: project.id, name, fields })).body
  form = await make("Contact")
  other = await make("Autre")
})
afterAll(() => webhooks[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const { id } of (await webhooks.api.get(path)).body.items) await webhooks.api.delete(`${path}/${id}`)
})

/** Posts forms as visitors do, and resolves to the values of what arrived. */
async function arrived(...posts: [to: { public_id: string }, values: Record<string, string>][]) {
  const before = webhooks.receiver.received.length
  // More of one visitor in a minute are kept apart.
  webhooks.clock.move(minuteMs)
  for (const [to, values] of posts) {
    webhooks.clock.move(1)
    const reply = await fetch(`${webhooks.service.url}/f/${to.public_id}`, {
      method: "POST",
      headers: { origin: "https://a.fr", accept: "application/json" },
      body: new URLSearchParams({ ...values, page: "https://a.fr/contact" }),
    })
    expect(reply.status).toBeLessThan(400)
  }
  await webhooks.settled()
  return valuesSince(before)
}

const valuesSince = (before: number) =>
  webhooks.receiver.received
    .slice(before)
    .map(({ body }) => Object.values(JSON.parse(new TextDecoder().decode(body)).data.values).join(" "))
    .sort()

async function made(conditions: object[]): Promise<string> {
  const { status, body } = await webhooks.api.post(path, { url, conditions })
  expect([status, body.conditions]).toEqual([201, conditions])
  return body.id
}

test("of a form with a condition come the messages with one of its values; other forms are not concerned", async () => {
  await made([{ form: form.id, field: "service", values: ["mairie", "voirie"] }])
  const seen = await arrived(
    [form, { service: "mairie", texte: "a" }],
    [form, { service: "piscine", texte: "b" }],
    [form, { texte: "c" }],
    [other, { service: "piscine", texte: "d" }],
  )
  expect(seen.map((each) => each.split(" ").at(-1))).toEqual(["a", "d"])
})

test("of several options one is enough; a text is compared as a whole; all conditions of a form hold", async () => {
  await made([
    { form: form.id, field: "sujets", values: ["voirie"] },
    { form: form.id, field: "texte", values: ["x"] },
  ])
  const seen = await arrived(
    [form, { sujets: "piscine, voirie", texte: "x" }],
    [form, { sujets: "piscine", texte: "x" }],
    [form, { sujets: "voirie", texte: "x, y" }],
  )
  expect(seen).toHaveLength(1)
})

test("messages that a condition kept away are no messages that were never sent", async () => {
  await arrived([form, { service: "mairie", texte: "early" }], [form, { service: "piscine", texte: "no" }])
  const id = await made([
    { form: form.id, field: "service", values: ["mairie"] },
    { form: other.id, field: "service", values: ["mairie"] },
    { form: form.id, field: "texte", values: ["early"] },
  ])
  const before = webhooks.receiver.received.length
  const since = new Date(webhooks.clock.now() - 1000).toISOString()
  const replay = { since, messages: "never_sent" }
  const { status, body } = await webhooks.api.post(`${path}/${id}/replays`, replay)
  expect([status, body.count]).toEqual([202, 1])
  await webhooks.settled()
  expect(valuesSince(before)).toEqual([expect.stringContaining("early")])
})

test("unknown forms, fields and too many values are told at their place", async () => {
  const condition = { form: form.id, field: "service", values: ["mairie"] }
  const wrongOf = async (conditions: object[]) =>
    Object.keys((await webhooks.api.post(path, { url, conditions })).body.error?.fields ?? {})
  expect(await wrongOf([condition, { ...condition, form: `form_${"0".repeat(32)}` }])).toEqual([
    "conditions.1.form",
  ])
  for (const field of ["rien", "pieces", "a_lire"])
    expect(await wrongOf([{ ...condition, field }])).toEqual(["conditions.0.field"])
  for (const value of ["Mairie", "mairie, voirie"])
    expect(await wrongOf([{ ...condition, values: ["mairie", value] }])).toEqual(["conditions.0.values"])
  expect(await wrongOf([{ ...condition, values: [] }])).toEqual(["conditions.0.values"])
  expect(await wrongOf([{ ...condition, values: ["x".repeat(201)] }])).toEqual(["conditions.0.values"])
  expect(await wrongOf([{ ...condition, values: Array(21).fill("x") }])).toEqual(["conditions.0.values"])
  expect(await wrongOf(Array(11).fill(condition))).toEqual(["conditions"])
  const stranger = await webhooks.stranger()
  const refused = await stranger.post(path, { url, conditions: [condition] })
  expect(Object.keys(refused.body.error.fields)).toEqual(["conditions.0.form"])
})

test("the console offers the fields of forms, then the choices of the field, and what has no choice goes", async () => {
  const client = await signedIn(webhooks.service)
  const id = await made([])
  const page = `/console/webhooks/${id}`
  await client.get(page)
  const values = {
    url,
    description: "",
    active: "on",
    condition_0_field: `${form.id} service`,
  }
  const offered = (await client.get(page)).text
  expect(offered).toContain(`<option value="${form.id} service">`)
  expect(offered).not.toContain(`<option value="${form.id} pieces">`)
  // A button shows the choices, and nothing is saved; saving without one shows them too, and is refused.
  for (const [more, status] of [
    [{ intent: "values" }, 200],
    [{}, 400],
  ] as const) {
    const shown = await client.post(page, { ...values, ...more })
    expect([shown.status, shown.text.includes('name="condition_0_values" value="voirie"')]).toEqual([
      status,
      true,
    ])
  }
  const ticked = { ...values, condition_0_offered: "yes", condition_0_values: "mairie\r\nvoirie\r\n" }
  expect((await client.post(page, ticked)).location).toBe(`${page}?done=saved`)
  const conditions = async () => (await webhooks.api.get(`${path}/${id}`)).body.conditions
  expect(await conditions()).toEqual([{ form: form.id, field: "service", values: ["mairie", "voirie"] }])
  const { text } = await client.get(page)
  expect(text).toMatch(/name="condition_0_values" value="mairie" checked/)
  expect(text).toContain('name="condition_1_field"')
  const wrong = await client.post(page, { ...ticked, condition_0_field: `${form.id} rien` })
  expect([wrong.status, wrong.text.includes("n’a pas de champ «\u00a0rien\u00a0»")]).toEqual([400, true])
  const emptied = { condition_0_offered: "yes", condition_0_values: "" }
  expect((await client.post(page, { ...values, ...emptied })).status).toBe(303)
  expect(await conditions()).toEqual([])
})

test("a form keeps the fields and options that an endpoint goes by, which is named", async () => {
  const { body: one } = await webhooks.api.get(`/api/v1/forms/${form.id}`)
  await made([{ form: form.id, field: "service", values: ["mairie", "voirie"] }])
  const rest = one.fields.slice(1)
  const changes = [
    rest,
    [{ ...one.fields[0], name: "quel_service" }, ...rest],
    [{ name: "service", label: "Service", type: "file" }, ...rest],
    [{ ...one.fields[0], options: [{ value: "mairie", label: "Mairie" }] }, ...rest],
  ]
  for (const fields of changes) {
    const { status, body } = await webhooks.api.patch(`/api/v1/forms/${form.id}`, { fields })
    expect([status, body.error.fields]).toEqual([
      400,
      { fields: expect.stringMatching(/«\u00a0hooks0\.acme\.fr\u00a0».*«\u00a0service\u00a0»/) },
    ])
  }
  const client = await signedIn(webhooks.service)
  const page = `/console/projects/${one.project}/forms/${form.id}/settings`
  const typed = formIn((await client.get(page)).text, page)
  const shown = await client.post(page, { ...typed, "fields.0.name": "quel_service" })
  expect([
    shown.status,
    shown.text.includes("ne reçoit que les messages qui ont une certaine valeur"),
  ]).toEqual([400, true])
  expect((await webhooks.api.get(`/api/v1/forms/${form.id}`)).body.fields).toEqual(one.fields)
  const [first, ...others] = one.fields
  const harmless = [
    ...others,
    { ...first, label: "Quel service ?" },
    { name: "neuf", label: "Neuf", type: "text" },
  ]
  expect((await webhooks.api.patch(`/api/v1/forms/${form.id}`, { fields: harmless })).status).toBe(200)
  expect((await webhooks.api.patch(`/api/v1/forms/${form.id}`, { fields: one.fields })).status).toBe(200)
})

test("a field that becomes one of several options is compared option by option from then on", async () => {
  const { body: one } = await webhooks.api.get(`/api/v1/forms/${other.id}`)
  await made([{ form: other.id, field: "service", values: ["mairie"] }])
  const change = (type: string) =>
    webhooks.api.patch(`/api/v1/forms/${other.id}`, {
      fields: [{ ...one.fields[0], type }, ...one.fields.slice(1)],
    })
  expect((await change("checkboxes")).status).toBe(200)
  expect(await arrived([other, { service: "mairie, voirie", texte: "a" }])).toHaveLength(1)
  expect((await change("select")).status).toBe(200)
  expect(await arrived([other, { service: "mairie", texte: "b" }])).toHaveLength(1)
})
