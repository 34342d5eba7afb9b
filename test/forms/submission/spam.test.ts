import { afterAll, beforeAll, expect, test } from "bun:test"
import { dayMs, hourMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { purgeForms } from "../../../src/forms/responses/purge.ts"
import { answered, type FormSite, type MadeForm, recordedMessages, site } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"

let forms: FormSite
const messages = recordedMessages()

beforeAll(async () => {
  forms = await aService()
    .withSettings({ GUICHET_FORM_PER_VISITOR_MINUTE: "3" })
    .withOverrides({ messageQueue: messages })
    .withForms()
    .started()
})
afterAll(() => forms[Symbol.asyncDispose]())

/** A form, posted by somebody who has posted nothing in the last minute. */
async function fresh(): Promise<MadeForm> {
  forms.clock.move(minuteMs)
  return forms.form()
}

test("what fills in the trap is answered like a success, kept apart and sent nowhere", async () => {
  const form = await fresh()
  const before = messages.sent.length
  const trapped = await form.json({ nom: "Robot", guichet_trap: "x" })
  expect([trapped.status, Object.keys(trapped.body)]).toEqual([201, ["id"]])
  expect((await form.browser({ nom: "Robot", guichet_trap: "x" })).status).toBe(303)
  expect((await form.json({ nom: "Camille", guichet_trap: "" })).status).toBe(201)
  expect((await form.responses()).map(({ values }) => values.nom)).toEqual(["Camille"])
  expect((await form.responses("state=unwanted")).map(({ values }) => values.nom)).toEqual(["Robot", "Robot"])
  expect(messages.sent.length - before).toBe(1)
})

test("a signed start that is too recent, or not ours, holds the response; a slow one does not", async () => {
  const form = await fresh()
  const other = await forms.form()
  const start = async ({ publicId }: MadeForm) =>
    (await answered(`${forms.service.url}/f/${publicId}/start`, { headers: { origin: site } })).body.started
  const started = await start(form)
  const foreign = await start(other)
  await form.json({ nom: "trop vite", guichet_started: started })
  forms.clock.move(2 * secondMs)
  await form.json({ nom: "posé", guichet_started: started })
  for (const forged of [foreign, "1.x", "x", `${started}x`, started.replace(/^\d/, "0")]) {
    forms.clock.move(minuteMs)
    await form.json({ nom: "faux", guichet_started: forged })
  }
  expect((await form.responses()).map(({ values }) => values.nom)).toEqual(["posé"])
  expect((await form.responses("state=held")).map(({ values }) => values.nom)).toEqual([
    ...Array(5).fill("faux"),
    "trop vite",
  ])
})

test("one visitor's posts beyond the limit of a minute are kept apart; another's are not", async () => {
  const form = await fresh()
  const from = (address: string) => form.json({ nom: address }, { "x-forwarded-for": address })
  for (let i = 0; i < 5; i++) expect((await from("203.0.113.7")).status).toBe(201)
  await from("198.51.100.4")
  expect((await form.responses()).length).toBe(4)
  expect((await form.responses("state=unwanted")).length).toBe(2)
  forms.clock.move(minuteMs)
  await from("203.0.113.7")
  expect((await form.responses()).length).toBe(5)
})

test("a clock that is set back counts nobody's earlier posts for ever", async () => {
  const form = await fresh()
  for (let i = 0; i < 3; i++) await form.json({ nom: "avant" })
  forms.clock.move(-2 * hourMs)
  await form.json({ nom: "après" })
  expect(await form.responses("state=unwanted")).toEqual([])
  forms.clock.move(2 * hourMs)
})

test("a flood is kept apart up to a hundred a day and visitor, then refused in so many words", async () => {
  const form = await fresh()
  const from = (address: string) =>
    form.json({ nom: "Robot", guichet_trap: "x" }, { "x-forwarded-for": address })
  const statuses = await Promise.all(
    Array.from({ length: 103 }, async () => (await from("203.0.113.8")).status),
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(100)
  const refused = await from("203.0.113.8")
  expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "rate_limited",
    "864",
  ])
  expect((await from("198.51.100.5")).status).toBe(201)
  expect((await form.json({ nom: "Camille" }, { "x-forwarded-for": "203.0.113.8" })).status).toBe(201)
})

test("a browser that is refused for its number of posts is told too when to come back", async () => {
  const form = await fresh()
  const headers = { "x-forwarded-for": "203.0.113.9" }
  await Promise.all(
    Array.from({ length: 100 }, () => form.json({ nom: "Robot", guichet_trap: "x" }, headers)),
  )
  const refused = await form.browser({ nom: "Robot", guichet_trap: "x" }, headers)
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "864"])
})

test("what stayed unwanted for 30 days is erased; what is held or was accepted is not", async () => {
  const form = await fresh()
  await form.json({ nom: "Robot", guichet_trap: "x" })
  const { body } = await form.json({ nom: "Camille", guichet_trap: "x" })
  await forms.api.post(`/api/v1/forms/${form.id}/responses/${body.id}/acceptance`)
  await form.json({ nom: "pressé", guichet_started: "x" })
  const { app } = forms.service
  forms.clock.move(30 * dayMs)
  await purgeForms(app)
  expect(await form.responses("state=unwanted")).toHaveLength(1)
  forms.clock.move(1)
  await purgeForms(app)
  expect(await form.responses("state=unwanted")).toEqual([])
  expect(await form.responses("state=held")).toHaveLength(1)
  expect(await form.responses()).toHaveLength(1)
})

test("the same key again neither counts nor changes what was kept", async () => {
  const form = await fresh()
  for (let i = 0; i < 5; i++) await form.json({ nom: "Camille", guichet_key: "k" })
  expect(await form.responses()).toHaveLength(1)
  expect(await form.responses("state=unwanted")).toEqual([])
})

test("accepting what was kept apart sends it, once", async () => {
  const form = await fresh()
  const { body } = await form.json({ nom: "Camille", guichet_trap: "x" })
  const before = messages.sent.length
  const woken = messages.woken
  const path = `/api/v1/forms/${form.id}/responses/${body.id}/acceptance`
  const [first, second] = await Promise.all([forms.api.post(path), forms.api.post(path)])
  expect([first?.status, second?.status].sort()).toEqual([200, 409])
  expect(messages.sent.slice(before).map(({ responseId }) => responseId)).toEqual([body.id])
  expect(messages.woken).toBe(woken + 1)
  expect((await form.responses()).map(({ id }) => id)).toEqual([body.id])
  expect(await form.responses("state=unwanted")).toEqual([])
  const unknown = await forms.api.post(`/api/v1/forms/${form.id}/responses/resp_x/acceptance`)
  expect(unknown.status).toBe(404)
})

test("no address of a visitor is stored", async () => {
  const form = await fresh()
  await form.json({ nom: "Camille" }, { "x-forwarded-for": "203.0.113.99" })
  const { db } = forms.service.app
  const rows = await Promise.all([
    db.selectFrom("limit_count").selectAll().execute(),
    db.selectFrom("form_response").selectAll().execute(),
  ])
  expect(rows[0].length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain("203.0.113.99")
})

test("sixty posts of one address in a minute are received, each with a timing token of its own", async () => {
  const form = await fresh()
  const headers = { "x-forwarded-for": "203.0.113.30" }
  const start = async () =>
    (await answered(`${forms.service.url}/f/${form.publicId}/start`, { headers: { origin: site } })).body
      .started
  const tokens: string[] = []
  for (let i = 0; i < 61; i++) tokens.push(await start())
  expect(new Set(tokens).size).toBe(61)
  const late = await start()
  forms.clock.move(2 * secondMs)
  const post = (started?: string) =>
    form.json({ nom: "élève", ...(started && { guichet_started: started }) }, headers)
  await Promise.all(tokens.slice(0, 30).map(post))
  expect(await form.responses("limit=100")).toHaveLength(30)
  for (const token of tokens.slice(30)) await post(token)
  expect(await form.responses("limit=100")).toHaveLength(60)
  expect(await form.responses("state=unwanted")).toHaveLength(1)
  // A token that was used, or none, counts against the limit of one visitor: three here.
  await Promise.all([...Array(3).fill(tokens[0]), undefined].map(post))
  expect(await form.responses("limit=100")).toHaveLength(63)
  expect(await form.responses("state=unwanted")).toHaveLength(2)
  forms.clock.move(dayMs)
  for (let i = 0; i < 4; i++) await post(late)
  expect(await form.responses("limit=100")).toHaveLength(66)
})

test("one token sent many times at once is unique once", async () => {
  const form = await fresh()
  const headers = { "x-forwarded-for": "203.0.113.31" }
  const { started } = (
    await answered(`${forms.service.url}/f/${form.publicId}/start`, { headers: { origin: site } })
  ).body
  forms.clock.move(2 * secondMs)
  await Promise.all(
    Array.from({ length: 8 }, () => form.json({ nom: "Camille", guichet_started: started }, headers)),
  )
  expect(await form.responses()).toHaveLength(4)
  expect(await form.responses("state=unwanted")).toHaveLength(4)
})
