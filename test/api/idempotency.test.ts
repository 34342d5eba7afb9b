import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { createToken } from "../../src/accounts/token.ts"
import {
  keepReply,
  maxKeys,
  maxReplyBytes,
  purgeKeys,
  takeKey,
} from "../../src/accounts/tokens/idempotency-keys.ts"
import { hourMs } from "../../src/base/clock.ts"
import { hasCode, Refusal } from "../../src/base/errors.ts"
import { insertRows } from "../../src/db/store.ts"
import type { AnyOperation } from "../../src/operations/operation.ts"
import { movableClock } from "../support/clock.ts"
import { twoNodes } from "../support/nodes.ts"
import { aService } from "../support/service-builder.ts"
import type { World } from "../support/world.ts"

const clock = movableClock()
let world: World
let token: { id: string; text: string }

beforeAll(async () => {
  world = await aService().withClock(clock).withOneOfEach().started()
})
beforeEach(async () => {
  token = await createToken(world.service.app.db, world.api.workspaceId, "", clock.now())
})
afterAll(() => world[Symbol.asyncDispose]())

async function post(path: string, key: string | undefined, body?: object | string, text = token.text) {
  const reply = await fetch(`${world.service.url}/api/v1/${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${text}`,
      ...(key !== undefined && { "idempotency-key": key }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const sent = await reply.text()
  return {
    status: reply.status,
    type: reply.headers.get("content-type"),
    isReplay: reply.headers.get("idempotent-replayed") === "true",
    body: sent && JSON.parse(sent),
  }
}

const tokensNamed = async (name: string) =>
  (await world.api.get("/api/v1/tokens?limit=100")).body.items.filter(
    (each: { name: string }) => each.name === name,
  )

test("a repeated request is done once, and gets the same reply again, its secret included", async () => {
  const first = await post("tokens", '"8e03978e-40d5"', { name: "une fois" })
  expect([first.status, first.isReplay]).toEqual([201, false])
  const again = await post("tokens", '"8e03978e-40d5"', '{ "name" : "une fois" }')
  expect(again).toEqual({ ...first, isReplay: true })
  expect(again.body.token).toStartWith("gch_")
  // Many clients send the key without the quotes of a structured field.
  expect(await post("tokens", "8e03978e-40d5", { name: "une fois" })).toEqual(again)
  expect(await tokensNamed("une fois")).toHaveLength(1)
})

test("nothing of it can be read in the database: neither the key, nor the request, nor the reply", async () => {
  const { body } = await post("tokens", "camille@exemple.fr", { name: "scellé" })
  const rows = await world.service.app.db.selectFrom("idempotency_key").selectAll().execute()
  const stored = JSON.stringify(rows)
  expect(rows.length).toBeGreaterThan(0)
  for (const secret of ["camille", "scellé", body.token, body.id]) expect(stored).not.toContain(secret)
})

test("the same key with another body or another path is refused, and is another key to another token", async () => {
  await post("tokens", "a", { name: "premier" })
  for (const [path, body] of [
    ["tokens", { name: "second" }],
    ["workspaces", { name: "premier" }],
  ] as const) {
    const refused = await post(path, "a", body)
    expect([path, refused.status, refused.body.error.code]).toEqual([path, 409, "conflict"])
    expect(refused.body.error.message).toStartWith("Cette clé d’idempotence a déjà servi")
  }
  const other = await createToken(world.service.app.db, world.api.workspaceId, "", clock.now())
  const made = await post("tokens", "a", { name: "second" }, other.text)
  expect([made.status, made.isReplay]).toEqual([201, false])
})

test("a repeat while the first one runs is refused, and what fails may be tried again with its key", async () => {
  const { operation } = world.service.performing.find(
    ({ method, path }) => method === "POST" && path === "/api/v1/endpoints",
  ) as { operation: AnyOperation }
  // An operation that is one transaction would keep everybody else from writing meanwhile.
  const held = operation as AnyOperation & { run(...given: unknown[]): Promise<unknown> }
  const { run } = held
  const slow = { url: "https://hooks.acme.fr/lent" }
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  held.run = async () => {
    started.resolve()
    await goOn.promise
    throw new Refusal("unavailable", "")
  }
  try {
    const first = post("endpoints", "b", slow)
    await started.promise
    const meanwhile = await post("endpoints", "b", slow)
    expect([meanwhile.status, meanwhile.body.error.message]).toEqual([
      409,
      expect.stringContaining("est encore en cours, ou a été interrompue"),
    ])
    goOn.resolve()
    expect((await first).status).toBe(503)
  } finally {
    held.run = run
  }
  expect((await post("tokens", "b", { ...slow, description: "x".repeat(2001) })).status).toBe(400)
  const made = await post("endpoints", "b", slow)
  expect([made.status, made.isReplay]).toEqual([201, false])
})

test("a reply without a body, or that is accepted to be done, is given again too", async () => {
  const path = `endpoints/${world.ids["endpoints"]}/tests`
  const first = await post(path, "c")
  const again = await post(path, "c")
  expect([first.status, again]).toEqual([202, { ...first, isReplay: true }])
})

test("what visitors wrote is not kept: the route that would give it again takes no key", async () => {
  const path = `forms/${world.ids["forms"]}/responses/${world.ids["responses"]}/acceptance`
  expect((await post(path, "d")).status).toBe(200)
  expect((await post(path, "d")).body.error.message).toBe("Ce message est déjà accepté.")
  const rows = await world.service.app.db
    .selectFrom("idempotency_key")
    .select("key")
    .where("token_id", "=", token.id)
    .execute()
  expect(rows).toEqual([])
})

test("a note is added once, and its reply, which holds what the visitor wrote, is kept nowhere", async () => {
  const path = `forms/${world.ids["forms"]}/responses/${world.ids["responses"]}`
  const added = await post(`${path}/notes`, "n", { text: "rappeler" })
  expect(added.status).toBe(201)
  const again = await post(`${path}/notes`, "n", { text: "rappeler" })
  expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining("n’est pas gardée")])
  expect((await world.api.get(`/api/v1/${path}`)).body.notes).toEqual(added.body.notes)
  const kept = await world.service.app.db
    .selectFrom("idempotency_key")
    .select("reply")
    .where("token_id", "=", token.id)
    .execute()
  expect(kept).toEqual([{ reply: null }])
})

test("a key that is none is refused and named", async () => {
  for (const key of ["", "é", "a b", `"a`, "x".repeat(256)]) {
    const refused = await post("tokens", key, { name: "sans clé" })
    expect([key, refused.status]).toEqual([key, 400])
    expect(refused.body.error.message).toStartWith("L’en-tête Idempotency-Key contient")
  }
  expect(await tokensNamed("sans clé")).toEqual([])
})

test("a key counts for 24 hours, and is gone from the database then", async () => {
  const made = await post("tokens", "e", { name: "un jour" })
  clock.move(24 * hourMs - 1)
  expect((await post("tokens", "e", { name: "un jour" })).body).toEqual(made.body)
  clock.move(1)
  const anew = await post("tokens", "e", { name: "un jour" })
  expect([anew.status, anew.isReplay, anew.body.id === made.body.id]).toEqual([201, false, false])
  const { db } = world.service.app
  await purgeKeys(db, clock.now() + 24 * hourMs)
  expect(await db.selectFrom("idempotency_key").select("key").execute()).toEqual([])
})

test("a reply that is too long to be kept is told to be done, and the work is not done again", async () => {
  const deps = world.service.app
  const keyed = { tokenId: token.id, key: "h", request: "POST\n/api/v1/forms\n{}" }
  expect(await takeKey(deps, keyed, clock.now())).toBeUndefined()
  await keepReply(deps, keyed, { status: 201, body: "x".repeat(maxReplyBytes + 1) })
  const again = await takeKey(deps, keyed, clock.now()).catch((error) => error)
  expect(hasCode(again, "accounts.keyWithoutReply")).toBe(true)
})

test("a token that is revoked takes its keys with it", async () => {
  const { text, id } = token
  await post("tokens", "i", { name: "parti" }, text)
  expect((await world.api.delete(`/api/v1/tokens/${id}`)).status).toBe(204)
  const { db } = world.service.app
  const rows = await db.selectFrom("idempotency_key").select("key").where("token_id", "=", id).execute()
  expect(rows).toEqual([])
})

test("a token has so many keys in 24 hours, and no more", async () => {
  const { db } = world.service.app
  const used = { token_id: token.id, request: "", bytes: 1, status: 204, reply: "", created_at: clock.now() }
  const keys = Array.from({ length: maxKeys }, (_, at) => ({ ...used, key: `k${at}` }))
  for (let at = 0; at < keys.length; at += 1000)
    await insertRows(db, "idempotency_key", keys.slice(at, at + 1000))
  const refused = await post("tokens", "f", { name: "trop" })
  expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"])
  expect((await post("tokens", undefined, { name: "trop" })).status).toBe(201)
})

test("of the same request to two nodes at once, one does it", async () => {
  await using nodes = await twoNodes({})
  const { db, clock } = nodes.app(0)
  const { text } = await createToken(db, nodes.project.workspaceId, "", clock.now())
  const statuses = await Promise.all(
    [0, 1, 0, 1].map(async (node) => {
      const reply = await fetch(`${nodes.service(node).url}/api/v1/workspaces`, {
        method: "POST",
        headers: { authorization: `Bearer ${text}`, "idempotency-key": "g" },
        body: JSON.stringify({ name: "deux nœuds" }),
      })
      return reply.status
    }),
  )
  expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
  const made = await db.selectFrom("workspace").select("id").where("name", "=", "deux nœuds").execute()
  expect(made).toHaveLength(1)
})
