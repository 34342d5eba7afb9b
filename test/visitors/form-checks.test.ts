import { afterAll, beforeAll, expect, test } from "bun:test"
import { hourMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { answerable, foreign, origin, type Reply, type Site } from "../support/ask.ts"
import { manyPosts } from "../support/many-posts.ts"
import { aService } from "../support/service-builder.ts"

// What the documentation says to a message before it is sent, where form.js serves a form: on a page of the site and
// on the form's own page.

const publicUrl = "https://guichet.exemple.fr"
const fields = [
  { name: "nom", label: "Nom", type: "text" },
  { name: "message", label: "Message", type: "textarea", required: true },
  { name: "details", label: "Détails", type: "textarea" },
]

let site: Site
let api: Api
let chosen: { id: string; public_id: string }
let other: { id: string; public_id: string }

beforeAll(async () => {
  const settings = { ...manyPosts, GUICHET_PUBLIC_URL: publicUrl }
  site = await aService().withSettings(settings).withIndexedProject().started()
  api = await apiOf(site.service)
  const made = (name: string) => api.post("/api/v1/forms", { project: site.project.id, name, fields })
  chosen = (await made("Contact")).body
  other = (await made("Devis")).body
})
afterAll(() => site[Symbol.asyncDispose]())

const choose = (form: string | null, field: string | null = null) =>
  api.patch(`/api/v1/projects/${site.project.id}/widget-settings`, {
    contact_form: form,
    contact_field: field,
  })
const start = async (form = chosen) =>
  (await site.send({ method: "GET", headers: { origin } }, `/f/${form.public_id}/start`)).body
const check = (text: unknown, from: string | null = origin, form = chosen): Promise<Reply> =>
  site.send(
    {
      headers: { "content-type": "application/json", ...(from && { origin: from }) },
      body: JSON.stringify({ text }),
    },
    `/f/${form.public_id}/answer`,
  )
const solved = (from: string | null = origin, form = chosen) =>
  site.send({ headers: from ? { origin: from } : {} }, `/f/${form.public_id}/solved`)

test("only the form that the owner chose for writing is checked, and only the field that takes the question", async () => {
  expect((await start()).check).toBeUndefined()
  expect((await check(answerable)).status).toBe(404)
  expect((await solved()).status).toBe(404)
  await choose(chosen.id, "details")
  expect((await start()).check).toBe("details")
  await choose(chosen.id)
  expect((await start()).check).toBe("message")
  expect((await start(other)).check).toBeUndefined()
  expect((await check(answerable, origin, other)).status).toBe(404)
  expect((await check(answerable)).body.status).toBe("answered")
  const unknown = { ...chosen, public_id: "inconnu" }
  expect((await check(answerable, origin, unknown)).status).toBe(404)
})

test("a form without a field of text is sent as it is", async () => {
  const project = site.project.id
  const described = {
    project,
    name: "Lettre",
    fields: [{ name: "adresse", label: "Adresse", type: "email" }],
  }
  const letter = (await api.post("/api/v1/forms", described)).body
  await choose(letter.id)
  expect((await start(letter)).check).toBeUndefined()
  await choose(chosen.id)
})

test("the answer is the one of the panel: quoted, neither kept nor counted as a question", async () => {
  const { db } = site.service.app
  const kept = async () =>
    JSON.stringify([
      await db.selectFrom("answer").selectAll().execute(),
      await db.selectFrom("recent_ask").selectAll().execute(),
      await db.selectFrom("limit_count").selectAll().where("subject", "not like", "checks:%").execute(),
      await db.selectFrom("form_response").selectAll().execute(),
    ])
  const before = await kept()
  const found = await check(answerable)
  expect(found.body.sources[0].url).toContain("/verifier-une-signature")
  expect(found.headers.get("access-control-allow-origin")).toBe(origin)
  expect(found.headers.get("cache-control")).toBe("no-store")
  expect((await check(foreign)).body).toEqual({ status: "no_answer", answer: "", sources: [] })
  expect((await check(`Bonjour${"\u00a0 ".repeat(600)}${answerable}`)).body.status).toBe("no_answer")
  expect((await check(undefined)).status).toBe(400)
  expect((await check("x".repeat(33_000))).status).toBe(400)
  expect(await kept()).toBe(before)
})

test("a page asks that may send the form: of a declared address, or the form's own while it has one", async () => {
  expect((await check(answerable, "https://ailleurs.exemple")).status).toBe(403)
  expect((await check(answerable, null)).status).toBe(403)
  expect((await check(answerable, publicUrl)).status).toBe(403)
  expect((await solved("https://ailleurs.exemple")).status).toBe(403)
  await api.patch(`/api/v1/forms/${chosen.id}`, { hosted: true })
  expect((await check(answerable, publicUrl)).body.status).toBe("answered")
  expect((await solved(publicUrl)).status).toBe(204)
  await api.patch(`/api/v1/forms/${chosen.id}`, { hosted: false })
  expect((await check(answerable, publicUrl)).status).toBe(403)
})

test("its limits and its counts are those of the panel", async () => {
  site.clock.move(2 * hourMs)
  const panel = () =>
    site.send(
      { headers: { origin, "content-type": "application/json" }, body: JSON.stringify({ text: foreign }) },
      `/api/v1/projects/${site.project.id}/contact/answer`,
    )
  for (let times = 0; times < 10; times++)
    expect([(await check(foreign)).status, (await panel()).status]).toEqual([200, 200])
  const refused = await check(foreign)
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"])
  expect((await panel()).status).toBe(429)
  expect((await site.ask()).status).toBe(200)
  const { answers_offered: offered, messages_spared: spared } = (
    await api.get(`/api/v1/projects/${site.project.id}/widget-settings`)
  ).body
  expect([offered > 0, spared]).toEqual([true, 1])
})

test("a browser asks first whether a page may", async () => {
  const reply = await site.send(
    { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } },
    `/f/${chosen.public_id}/answer`,
  )
  expect(reply.headers.get("access-control-allow-origin")).toBe(origin)
  expect(reply.headers.get("access-control-allow-headers")).toContain("content-type")
})
