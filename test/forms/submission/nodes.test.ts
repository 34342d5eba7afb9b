import { afterAll, test as anyTest, beforeAll, expect } from "bun:test"
import { dayMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { type Api, apiOf } from "../../support/api.ts"
import { contents, filledIn } from "../../support/files.ts"
import { contact, site } from "../../support/forms.ts"
import { manyPosts } from "../../support/many-posts.ts"
import { type Nodes, twoNodes } from "../../support/nodes.ts"
import { createDatabase } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"

// Issue L, point 17: two nodes on one PostgreSQL keep the limits of one.

const test = anyTest.skipIf(noPostgres())
const perDay = 70

let nodes: Nodes
let api: Api
let project: string
beforeAll(async () => {
  if (noPostgres()) return
  nodes = await twoNodes({
    database: await createDatabase(),
    settings: () => ({
      ...manyPosts,
      GUICHET_FORM_PER_VISITOR_MINUTE: "3",
      GUICHET_FORM_PER_VISITOR_DAY: `${perDay}`,
    }),
  })
  api = await apiOf(nodes.service(0))
  project = (await api.post("/api/v1/projects", { name: "Site", site })).body.id
})
afterAll(async () => {
  if (!noPostgres()) await nodes[Symbol.asyncDispose]()
})

/** A form whose posts of one address go to both nodes in turn, all at once. */
async function formAt(address: string) {
  const { id, public_id } = (await api.post("/api/v1/forms", { project, ...contact })).body
  const urlOf = (at: number) => `${nodes.service(at % 2).url}/f/${public_id}`
  return {
    async tokens(count: number): Promise<string[]> {
      const started = Array.from({ length: count }, async (_, at) =>
        (await fetch(`${urlOf(at)}/start`, { headers: { origin: site } })).json(),
      )
      return (await Promise.all(started)).map((each) => each.started)
    },
    postAll: (tokens: (string | undefined)[]) =>
      Promise.all(
        tokens.map(async (token, at) => {
          const { status } = await fetch(urlOf(at), {
            method: "POST",
            headers: { "content-type": "application/json", origin: site, "x-forwarded-for": address },
            body: JSON.stringify({ nom: `${at}`, ...(token && { guichet_started: token }) }),
          })
          return status
        }),
      ),
    async kept() {
      const count = async (query: string) =>
        (await api.get(`/api/v1/forms/${id}/responses?limit=100${query}`)).body.items.length
      return { received: await count(""), unwanted: await count("&state=unwanted") }
    },
  }
}

const times = <Value>(count: number, value: Value): Value[] => Array(count).fill(value)

test("the limit of a minute is one for both", async () => {
  const form = await formAt("203.0.113.1")
  expect(await form.postAll(times(8, undefined))).toEqual(times(8, 201))
  expect(await form.kept()).toEqual({ received: 3, unwanted: 5 })
  nodes.clock.move(minuteMs)
  await form.postAll(times(4, undefined))
  expect(await form.kept()).toEqual({ received: 6, unwanted: 6 })
})

test("a token that is sent to both at once is unique once", async () => {
  const form = await formAt("203.0.113.2")
  const [token] = await form.tokens(1)
  nodes.clock.move(2 * secondMs)
  await form.postAll(times(8, token))
  expect(await form.kept()).toEqual({ received: 4, unwanted: 4 })
})

test("sixty posts with tokens of their own are received, whichever node made the token or takes the post", async () => {
  const form = await formAt("203.0.113.3")
  const tokens = await form.tokens(64)
  nodes.clock.move(2 * secondMs)
  // The other node takes the post.
  await form.postAll([...tokens.slice(1), tokens[0]])
  expect(await form.kept()).toEqual({ received: 60, unwanted: 4 })
})

test("the limit of a day is one for both, and the next day begins anew for both", async () => {
  const form = await formAt("203.0.113.4")
  const first = await form.tokens(60)
  nodes.clock.move(2 * secondMs)
  await form.postAll(first)
  nodes.clock.move(minuteMs)
  const more = await form.tokens(20)
  nodes.clock.move(2 * secondMs)
  const statuses = await form.postAll(more)
  expect(statuses.filter((status) => status === 201)).toHaveLength(perDay - 60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20 - (perDay - 60))
  expect((await form.kept()).received).toBe(perDay)
  nodes.clock.move(dayMs)
  expect(await form.postAll(times(2, undefined))).toEqual([201, 201])
})

test("a file that one node takes is handed out by the other, and its erasure there is one for both", async () => {
  const fields = [
    { name: "adresse", label: "Adresse", type: "email" },
    { name: "cv", label: "CV", type: "file" },
  ]
  const form = (await api.post("/api/v1/forms", { project, name: "Candidature", fields })).body
  const sent = await fetch(`${nodes.service(0).url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin: site, "x-forwarded-for": "203.0.113.5" },
    body: filledIn({ adresse: "ada@exemple.fr" }, ["cv", "cv.pdf", contents.pdf]),
  })
  expect(sent.status).toBe(201)
  const [{ id, files }] = (await api.get(`/api/v1/forms/${form.id}/responses`)).body.items
  const other = await apiOf(nodes.service(1))
  const path = `/api/v1/forms/${form.id}/responses/${id}/files/${files[0].id}`
  expect((await other.get(path)).body).toBe(contents.pdf.toString())
  await other.post("/api/v1/erasures", { email: "ada@exemple.fr" })
  expect((await api.get(path)).status).toBe(404)
  expect(await nodes.app(0).db.selectFrom("stored_file_part").select("number").execute()).toEqual([])
})
