import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { dayMs, hourMs, minuteMs, secondMs, untilNextDayMs } from "../../../src/base/clock.ts"
import { readConfig } from "../../../src/config/config.ts"
import { purgeLimits } from "../../../src/limits/uses.ts"
import type { Answered } from "../../support/api.ts"
import type { FormSite, MadeForm } from "../../support/forms.ts"
import { mayMount, mountMemory } from "../../support/mount.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const perVisitor = 4
const perMinute = 10
const perForm = 6
const bytesPerVisitor = 10 * 1024
const timezone = "Europe/Paris"
let forms: FormSite

beforeAll(async () => {
  forms = await aService()
    .withSettings({
      GUICHET_FORM_PER_VISITOR_MINUTE: String(perMinute),
      GUICHET_FORM_PER_VISITOR_DAY: String(perVisitor),
      GUICHET_FORM_BYTES_PER_VISITOR_DAY: "10 KB",
      GUICHET_FORM_PER_FORM_DAY: String(perForm),
      GUICHET_FORM_BYTES_PER_FORM_DAY: "30 KB",
    })
    .withForms()
    .started()
})
beforeEach(() => forms.clock.move(dayMs))
afterAll(() => forms[Symbol.asyncDispose]())

const from = (address: string) => ({ "x-forwarded-for": address })

async function statuses(posts: Promise<Answered>[]): Promise<number[]> {
  return (await Promise.all(posts)).map(({ status }) => status)
}

/** Posts of one visitor, one after the other. */
async function postsOf(form: MadeForm, address: string, count: number, message = ""): Promise<number[]> {
  const found: number[] = []
  for (let post = 0; post < count; post++)
    found.push((await form.json({ nom: "Camille", message }, from(address))).status)
  return found
}

test("nothing set, a visitor has 200 posts and 10 MB a day, a form 5,000 and 250 MB", () => {
  expect(readConfig({}).formDay).toEqual({
    perVisitor: 200,
    bytesPerVisitor: 10 * 1024 ** 2,
    perForm: 5000,
    bytesPerForm: 250 * 1024 ** 2,
    fileBytesPerVisitor: 100 * 1024 ** 2,
  })
})

test("a visitor's posts beyond those of a day are refused, in all forms, until the day is over", async () => {
  const [form, other] = [await forms.form(), await forms.form()]
  expect(await postsOf(form, "203.0.113.7", perVisitor - 1)).toEqual([201, 201, 201])
  expect(await postsOf(other, "203.0.113.7", 2)).toEqual([201, 429])
  const refused = await form.json({ nom: "Camille" }, from("203.0.113.7"))
  const untilMidnight = untilNextDayMs(timezone, forms.clock.now()) / secondMs
  expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "rate_limited",
    String(Math.ceil(untilMidnight)),
  ])
  expect(refused.body.error.message).toContain("Réessayez demain.")
  expect(await postsOf(form, "203.0.113.8", 1)).toEqual([201])
  expect(await form.responses()).toHaveLength(perVisitor)
  forms.clock.move(untilMidnight * secondMs)
  expect(await postsOf(form, "203.0.113.7", 1)).toEqual([201])
})

test("a browser gets its page back, filled in, with the reason and when to come back", async () => {
  const form = await forms.form()
  await postsOf(form, "203.0.113.9", perVisitor)
  const refused = await form.browser({ nom: "Camille" }, from("203.0.113.9"))
  expect([refused.status, refused.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"])
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(refused.body).toContain("Vous avez atteint le nombre d’envois permis pour aujourd’hui")
  expect(refused.body).toContain('value="Camille"')
})

test("an IPv6 household is one visitor, whichever of its addresses it uses", async () => {
  const form = await forms.form()
  const posts = Array.from({ length: perVisitor + 3 }, (_, number) =>
    form.json({ nom: "Camille" }, from(`2001:db8:0:7::${number + 1}`)),
  )
  expect((await statuses(posts)).filter((status) => status === 201)).toHaveLength(perVisitor)
  expect(await postsOf(form, "2001:db8:0:8::1", 1)).toEqual([201])
})

test("posts at once count each, those kept apart too; what was not stored counts nowhere", async () => {
  const form = await forms.form()
  const posts = [...Array(9).keys()].map((number) =>
    form.json({ nom: "Robot", ...(number % 2 === 0 && { guichet_trap: "x" }) }, from("203.0.113.10")),
  )
  expect((await statuses(posts)).filter((status) => status === 201)).toHaveLength(perVisitor)
  const again = from("203.0.113.11")
  const other = await forms.form()
  for (let post = 0; post < 6; post++) {
    expect((await other.json({ nom: "" }, again)).status).toBe(400)
    expect((await other.json({ nom: "Camille", guichet_key: "k" }, again)).status).toBe(201)
  }
  expect(await postsOf(other, "203.0.113.11", perVisitor)).toEqual([201, 201, 201, 429])
  // The same key with the same contents is the response that was kept.
  expect((await other.json({ nom: "Camille", guichet_key: "k" }, again)).status).toBe(201)
})

test("a visitor's bytes are counted as they are stored", async () => {
  const form = await forms.form()
  const large = "é".repeat(bytesPerVisitor / 2 / 2 - 100)
  expect(await postsOf(form, "203.0.113.12", 3, large)).toEqual([201, 201, 429])
  const { app } = forms.service
  const used = async (subject: string) =>
    (
      await app.db
        .selectFrom("limit_count")
        .select("used")
        .where("subject", "like", subject)
        .executeTakeFirstOrThrow()
    ).used
  const { stored } = await app.db
    .selectFrom("form_response")
    .select(({ fn, eb }) =>
      fn
        .sum<number>(eb(fn("octet_length", ["field_values"]), "+", fn("octet_length", ["page"])))
        .as("stored"),
    )
    .where("form_id", "=", form.id)
    .executeTakeFirstOrThrow()
  expect([await used(`post:${form.id}`), await used(`post:${form.id}:bytes`)]).toEqual([2, stored])
  expect(await used(`post:%:${form.id}`)).toBe(2)
  expect(stored).toBeLessThanOrEqual(bytesPerVisitor)
  // A single post may be as large as a message: a visitor's first post is never refused for a limit set too
  // low.
  expect(await postsOf(form, "203.0.113.13", 1, "x".repeat(bytesPerVisitor + 1))).toEqual([201])
})

test("a full form refuses who already posted that day, and takes the first post of everybody else", async () => {
  for (const message of ["", "x".repeat(7 * 1024)]) {
    const form = await forms.form()
    const flood = Array.from({ length: perForm }, (_, number) =>
      form.json({ nom: "Robot", message }, from(`198.51.100.${number}`)),
    )
    expect(await statuses(flood)).toEqual(Array(perForm).fill(201))
    const again = await form.json({ nom: "Robot" }, from("198.51.100.1"))
    if (message === "") expect(again.status).toBe(429)
    else expect(await postsOf(form, "198.51.100.2", 1, message)).toEqual([429])
    for (const visitor of ["203.0.113.20", "203.0.113.21", "203.0.113.22"])
      expect(await postsOf(form, visitor, 2, message)).toEqual([201, 429])
    // Another form still takes posts.
    expect(await postsOf(await forms.form(), "203.0.113.20", 1)).toEqual([201])
    forms.clock.move(dayMs)
  }
})

test("who was counted is forgotten once the day is over, and no address stands anywhere", async () => {
  const form = await forms.form()
  await postsOf(form, "203.0.113.99", 1)
  const { db } = forms.service.app
  const rows = () =>
    db.selectFrom("limit_count").selectAll().where("subject", "like", `post:%${form.id}%`).execute()
  expect(await rows()).toHaveLength(3)
  expect(JSON.stringify(await db.selectFrom("limit_count").selectAll().execute())).not.toContain(
    "203.0.113.99",
  )
  await purgeLimits(db, { timezone, nowMs: forms.clock.now() })
  expect(await rows()).toHaveLength(3)
  forms.clock.move(untilNextDayMs(timezone, forms.clock.now()))
  await purgeLimits(db, { timezone, nowMs: forms.clock.now() })
  expect(await db.selectFrom("limit_count").selectAll().execute()).toEqual([])
})

test("a purge of many rows goes in small steps and leaves none", async () => {
  const { db } = forms.service.app
  const rows = Array.from({ length: 2500 }, (_, number) => ({
    period: "2020-01-01",
    subject: `post:v${number}`,
  }))
  for (let start = 0; start < rows.length; start += 500)
    await db
      .insertInto("limit_count")
      .values(rows.slice(start, start + 500).map((row) => ({ ...row, used: 1 })))
      .execute()
  await purgeLimits(db, { timezone, nowMs: forms.clock.now() })
  expect(await db.selectFrom("limit_count").selectAll().where("period", "=", "2020-01-01").execute()).toEqual(
    [],
  )
})

test.skipIf(!mayMount)(
  "with little of the disk free forms are refused, in words, and everything else goes on (needs the right to mount one)",
  async () => {
    using folder = temporaryFolder()
    using _mounted = mountMemory(folder.path, "size=64m,mode=0700")
    await using small = await aService()
      .withSettings({ GUICHET_DATA_DIR: folder.path, GUICHET_MIN_FREE_DISK: "32 MB" })
      .withForms()
      .started()
    const form = await small.form()
    expect((await form.json({ nom: "Camille" })).status).toBe(201)
    const filler = `${folder.path}/filler`
    await Bun.write(filler, new Uint8Array(40 * 1024 ** 2))
    const refused = await untilStatus(() => form.json({ nom: "Camille" }), 503)
    expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
      503,
      "unavailable",
      "60",
    ])
    expect(refused.body.error.message).toContain("le service manque de place")
    const page = await form.browser({ nom: "Camille" })
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "60"])
    expect(page.body).toContain('value="Camille"')
    expect((await fetch(`${small.service.url}/readyz`)).status).toBe(200)
    expect((await small.api.post("/api/v1/forms", { project: small.projectId, ...described })).status).toBe(
      201,
    )
    await Bun.file(filler).delete()
    expect((await untilStatus(() => form.json({ nom: "Camille" }), 201)).status).toBe(201)
  },
)

const described = { name: "Autre", fields: [{ name: "nom", label: "Nom", type: "text" }] }

/** Posts until the status comes: the measured disk space is up to a second old. */
async function untilStatus(post: () => Promise<Answered>, status: number): Promise<Answered> {
  let last = await post()
  for (let tries = 0; tries < 100 && last.status !== status; tries++) {
    await Bun.sleep(50)
    last = await post()
  }
  return last
}

test("sizes are bytes, or a number of KB, MB or GB", () => {
  const of = (size: string) => readConfig({ GUICHET_MIN_FREE_DISK: size }).minFreeDiskBytes
  expect(["0", "1500", "2 KB", "3mb", "1 GB"].map(of)).toEqual([0, 1500, 2048, 3 * 1024 ** 2, 1024 ** 3])
  for (const wrong of ["-1", "1.5 GB", "10 Mo", "x", "1 TB", "MB"])
    expect(() => of(wrong)).toThrow("GUICHET_MIN_FREE_DISK")
  expect(() => readConfig({ GUICHET_FORM_BYTES_PER_VISITOR_DAY: "0" })).toThrow("not a size such as 10 MB")
})

test("a limit of a day is the owner's day: what was posted before midnight is of yesterday", async () => {
  const form = await forms.form()
  forms.clock.move(untilNextDayMs(timezone, forms.clock.now()) - hourMs)
  expect(await postsOf(form, "203.0.113.30", perVisitor + 1)).toEqual([201, 201, 201, 201, 429])
  forms.clock.move(hourMs)
  expect(await postsOf(form, "203.0.113.30", 1)).toEqual([201])
})

test("posts that store nothing have a limit of their own, twelve for each that may be sent in a minute", async () => {
  const form = await forms.form()
  const wrong = (address: string) => form.json({ courriel: "sans arobase" }, from(address))
  const refused = await statuses(Array.from({ length: 12 * perMinute }, () => wrong("203.0.113.40")))
  expect(new Set(refused)).toEqual(new Set([400]))
  const next = await form.json({ nom: "Camille" }, from("203.0.113.40"))
  expect([next.status, Number(next.headers.get("retry-after")) > 0]).toEqual([429, true])
  expect(await postsOf(form, "203.0.113.41", 1)).toEqual([201])
  forms.clock.move(minuteMs)
  expect(await postsOf(form, "203.0.113.40", 1)).toEqual([201])
})
