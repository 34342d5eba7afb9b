import { afterAll, beforeAll, expect, test } from "bun:test"
import { feedbackLimit } from "../../../src/answering/ask/feedback.ts"
import { apiOf } from "../../support/api.ts"
import { origin, type Site } from "../../support/ask.ts"
import { signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// POST /api/v1/answers/:id/feedback: whether an answer helped.

let site: Site
let id: string
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  id = (await site.ask()).body.id
})
afterAll(() => site[Symbol.asyncDispose]())

const headers = { "content-type": "application/json", origin }
const say = (body: unknown, more: Record<string, string> = {}, answer = id) =>
  site.send(
    { headers: { ...headers, ...more }, body: JSON.stringify(body) },
    `/api/v1/answers/${answer}/feedback`,
  )

async function useful(): Promise<number | null> {
  const { db } = site.service.app
  return (await db.selectFrom("answer").select("useful").where("id", "=", id).executeTakeFirstOrThrow())
    .useful
}

test("is stored, and the last word counts", async () => {
  expect(await useful()).toBeNull()
  expect(await say({ useful: true })).toMatchObject({ status: 204, body: "" })
  expect(await useful()).toBe(1)
  expect((await say({ useful: false })).status).toBe(204)
  expect(await useful()).toBe(0)
})

test("the same word again writes nothing, and a word changes some times a day", async () => {
  const other = (await site.ask({ question: "Comment installer Guichet ?" })).body.id
  const { db } = site.service.app
  const writes = async () =>
    (
      await db.selectFrom("limit_count").select("used").where("subject", "=", `feedback:${other}`).execute()
    )[0]?.used
  for (let times = 0; times < 3; times++) expect((await say({ useful: true }, {}, other)).status).toBe(204)
  expect(await writes()).toBe(1)
  for (let change = 1; change < feedbackLimit.points; change++)
    expect((await say({ useful: change % 2 === 0 }, {}, other)).status).toBe(204)
  expect(await writes()).toBe(feedbackLimit.points)
  const last = feedbackLimit.points % 2 === 1
  const refused = await say({ useful: !last }, {}, other)
  expect(refused).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } })
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await say({ useful: last }, {}, other)).status).toBe(204)
})

test("says why an answer did not help; the owner sees it in the console, by the API and in the table", async () => {
  const api = await apiOf(site.service)
  const asked = (await site.ask({ question: "Comment restaurer une sauvegarde ?" })).body.id
  const path = `/api/v1/projects/${site.project.id}/answers`
  const reason = async () => (await api.get(`${path}/${asked}`)).body.reason
  await say({ useful: false }, {}, asked)
  expect(await reason()).toBeNull()
  expect((await say({ useful: false, reason: "outdated" }, {}, asked)).status).toBe(204)
  expect(await reason()).toBe("outdated")
  const operator = await signedIn(site.service)
  const { text } = await operator.get(`/console/projects/${site.project.id}/questions`)
  expect(text).toContain("pas utile\u00a0: plus à jour")
  expect((await api.get(`${path}.csv`)).body).toContain("plus à jour")
  await say({ useful: true }, {}, asked)
  expect(await reason()).toBeNull()
})

test.each([
  [{}],
  [{ useful: "true" }],
  [{ useful: 1 }],
  [{ useful: null }],
  [[]],
  [null],
  [{ useful: false, reason: "ugly" }],
  [{ useful: false, reason: 1 }],
  [{ useful: true, reason: "wrong" }],
])("%j is refused", async (body) => {
  const before = await useful()
  expect(await say(body)).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } })
  expect(await useful()).toBe(before)
})

test("an unknown answer is 404", async () => {
  expect(await say({ useful: true }, {}, "ans_unknown")).toMatchObject({
    status: 404,
    body: { error: { code: "not_found", message: "Aucune réponse ne porte cet identifiant." } },
  })
})

test("an origin that is not declared for the answer's project is refused", async () => {
  const before = await useful()
  for (const other of ["https://evil.com", "null", ""])
    expect(await say({ useful: true }, { origin: other })).toMatchObject({
      status: 403,
      body: { error: { code: "origin_not_allowed" } },
    })
  expect(await useful()).toBe(before)
})

test("a body that is too large, or not sent as JSON, is refused", async () => {
  expect((await say({ useful: true, x: "x".repeat(32_768) })).status).toBe(400)
  expect((await say({ useful: true }, { "content-type": "text/plain" })).status).toBe(400)
})

test("a page may send it and read the reply", async () => {
  const reply = await say({ useful: true })
  expect(reply.headers.get("access-control-allow-origin")).toBe(origin)
})
