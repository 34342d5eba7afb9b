import { expect, test } from "bun:test"
import { localInstant, localTime } from "../../src/base/clock.ts"
import { aService } from "../support/service-builder.ts"

// When a form takes responses, and how many.

const nom = { nom: "Camille" }

test("a form is closed before it opens and from its closing on, with a sentence and what was typed", async () => {
  await using site = await aService().withForms().started()
  const nowMs = site.clock.now()
  const at = (hours: number) => new Date(nowMs + hours * 3_600_000).toISOString()
  const opening = { opens_at: at(1), closes_at: at(3) }
  const form = await site.form({ ...opening, hosted: true })
  expect((await site.api.get(`/api/v1/forms/${form.id}`)).body).toMatchObject(opening)
  const page = async () => (await fetch(`${site.url}/f/${form.publicId}`)).text()
  const start = async () => (await fetch(`${site.url}/f/${form.publicId}/start`)).json()

  const early = await form.json(nom)
  expect([early.status, early.body.error.code]).toEqual([409, "conflict"])
  expect(early.body.error.message).toStartWith("Ce formulaire ouvre le ")
  expect((await start()).closed).toBe(early.body.error.message)
  expect(await page()).toContain(early.body.error.message)
  expect(await page()).not.toContain("<form")

  site.clock.move(3_600_000)
  const repeated = { ...nom, guichet_key: "k" }
  const kept = await form.json(repeated)
  expect(kept.status).toBe(201)
  expect((await start()).closed).toBeUndefined()
  expect(await page()).toMatch(/<p class="guichet-legend">Ouvert du .* au .*\.<\/p>/)
  const html = (await site.api.get(`/api/v1/forms/${form.id}/html`)).body
  expect(html).toMatch(/<p class="guichet-legend">Ouvert du /)

  site.clock.move(2 * 3_600_000)
  const late = await form.browser({ nom: "Dominique <3" })
  expect(late.status).toBe(409)
  expect(late.body).toContain("Ce formulaire est fermé depuis le ")
  expect(late.body).toContain('value="Dominique &lt;3"')
  expect(late.body).not.toContain("<button")
  expect(await page()).toContain("Ce formulaire est fermé depuis le ")
  // A post that was stored is told so again.
  expect(await form.json(repeated)).toMatchObject({ status: 201, body: { id: kept.body.id } })
  expect(await form.responses()).toHaveLength(1)
})

test("of many posts at once exactly the largest number is stored", async () => {
  await using site = await aService().withForms().started()
  const form = await site.form({ max_responses: 7 })
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, number) => form.json({ nom: `n${number}` })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 7 }, () => 201),
    ...Array.from({ length: 33 }, () => 409),
  ])
  const refused = replies.find(({ status }) => status === 409)
  expect(refused?.body.error.message).toContain("complet")
  const stored = await form.responses()
  expect(stored).toHaveLength(7)
  expect((await (await fetch(`${site.url}/f/${form.publicId}/start`)).json()).closed).toContain("complet")
  // An erased response gives its place back; an unwanted one takes none.
  await site.api.delete(`/api/v1/forms/${form.id}/responses/${stored[0].id}`)
  expect((await form.json({ ...nom, guichet_trap: "x" })).status).toBe(201)
  expect((await form.json(nom)).status).toBe(201)
  expect((await form.json({ nom: "une autre" })).status).toBe(409)
})

test("a form that closes before it opens, and a number out of bounds, are refused", async () => {
  await using site = await aService().withForms().started()
  const form = await site.form()
  const change = (body: object) => site.api.patch(`/api/v1/forms/${form.id}`, body)
  const wrong = [
    [{ opens_at: "2027-01-02", closes_at: "2027-01-01" }, "closes_at"],
    [{ opens_at: "demain" }, "opens_at"],
    [{ max_responses: 0 }, "max_responses"],
    [{ max_responses: 10_001 }, "max_responses"],
  ] as const
  for (const [body, field] of wrong) {
    const refused = await change(body)
    expect([field, refused.status, Object.keys(refused.body.error.fields)]).toEqual([field, 400, [field]])
  }
  await change({ opens_at: "2027-01-01T09:00+01:00", max_responses: 3 })
  const opened = await change({ opens_at: null, max_responses: null })
  expect(opened.body).toMatchObject({ opens_at: null, max_responses: null })
})

test("a day opens a form when it begins and closes it when it ends, by the owner's clock, and is told as a day", async () => {
  await using site = await aService().withSettings({ GUICHET_TIMEZONE: "Europe/Paris" }).withForms().started()
  const form = await site.form({ hosted: true, opens_at: "2026-12-01", closes_at: "2026-12-24" })
  const { body } = await site.api.get(`/api/v1/forms/${form.id}`)
  const times = ["2026-11-30T23:00:00.000Z", "2026-12-24T23:00:00.000Z"]
  expect([body.opens_at, body.closes_at]).toEqual(times)
  const page = async () => (await fetch(`${site.url}/f/${form.publicId}`)).text()
  const moveTo = (time: string) => site.clock.move(Date.parse(time) - site.clock.now())

  moveTo("2026-11-30T23:59:59+01:00")
  expect((await form.json(nom)).body.error.message).toStartWith(
    "Ce formulaire ouvre le 1er décembre 2026\u00a0: ",
  )
  moveTo("2026-12-24T23:59:59+01:00")
  expect((await form.json(nom)).status).toBe(201)
  expect(await page()).toContain("Ouvert du 1er décembre 2026 au 24 décembre 2026 inclus.")
  moveTo("2026-12-25T00:00+01:00")
  const late = (await form.json(nom)).body.error.message
  expect(late).toStartWith("Ce formulaire est fermé depuis la fin du 24 décembre 2026\u00a0: ")

  // A time without a zone, and a day of a list, are of that clock too; the console reads them back the same.
  const change = (part: object) => site.api.patch(`/api/v1/forms/${form.id}`, part)
  const timed = await change({ opens_at: "2026-12-01T09:30", closes_at: "2026-12-24T18:00:30" })
  expect([timed.body.opens_at, timed.body.closes_at]).toEqual([
    "2026-12-01T08:30:00.000Z",
    "2026-12-24T17:00:30.000Z",
  ])
  expect(await form.responses("since=2026-12-24")).toHaveLength(1)
  expect(await form.responses("since=2026-12-24T23:59:58")).toHaveLength(1)
  expect(await form.responses("since=2026-12-25")).toHaveLength(0)
  const token = await site.api.post("/api/v1/tokens", { expires_at: "2026-12-31" })
  expect(token.body.expires_at).toBe("2026-12-31T23:00:00.000Z")
})

test("a time of the owner's clock is its instant, also beside a change of the clocks", () => {
  const zone = "Europe/Paris"
  for (const [local, instant] of [
    ["2026-11-20T09:30", "2026-11-20T08:30:00.000Z"],
    ["2026-07-01T00:00", "2026-06-30T22:00:00.000Z"],
    ["2027-03-28T01:59", "2027-03-28T00:59:00.000Z"],
    ["2027-03-28T03:00", "2027-03-28T01:00:00.000Z"],
  ]) {
    const atMs = localInstant(zone, local as string) as number
    expect([local, new Date(atMs).toISOString(), localTime(zone, atMs)]).toEqual([local, instant, local])
  }
  for (const text of ["", "demain", "2026-11-20", "2026-13-20T09:30"])
    expect(localInstant(zone, text)).toBeUndefined()
})
