import { afterAll, beforeAll, expect, test } from "bun:test"
import {
  createToken,
  listTokens,
  purgeRevokedTokens,
  requireToken,
  revokeToken,
} from "../../src/accounts/token.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { dayMs, hourMs, isoTime } from "../../src/base/clock.ts"
import { deleteRows } from "../../src/db/store.ts"
import { guichet } from "../support/cli.ts"
import { movableClock } from "../support/clock.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const clock = movableClock()
let service: Service

beforeAll(async () => {
  service = await aService().withClock(clock).started()
})
afterAll(() => service[Symbol.asyncDispose]())

const projects = (authorization?: string, init: RequestInit = {}) =>
  fetch(`${service.url}/api/v1/projects`, {
    ...init,
    headers: { ...(authorization && { authorization }), "content-type": "application/json" },
  })

const newToken = async () =>
  createToken(service.app.db, await defaultWorkspaceId(service.app.db), "", clock.now())

test("a token opens the API of its workspace", async () => {
  const { text } = await newToken()
  expect((await projects(`Bearer ${text}`)).status).toBe(200)
  expect((await projects(`bearer ${text}`)).status).toBe(200)
})

test("401 says whether a token is missing, unknown or revoked, and which scheme is taken", async () => {
  const { text, id } = await newToken()
  const { text: present } = await newToken()
  const removed = await fetch(`${service.url}/api/v1/tokens/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${present}` },
  })
  expect(removed.status).toBe(204)
  const scheme = 'Bearer realm="guichet"'
  const invalid = (why: string) => `${scheme}, error="invalid_token", error_description="${why}"`
  const missing = [scheme, "Un jeton d’accès est nécessaire\u00a0: envoyez"] as const
  const unknown = [invalid("unknown"), "Ce jeton d’accès est inconnu."] as const
  const wrong = [
    ...[undefined, "", "Bearer", `Basic ${present}`, present].map((sent) => [sent, missing] as const),
    ...[`${present}x`, `gch_${"a".repeat(43)}`, "é"].map((sent) => [`Bearer ${sent}`, unknown] as const),
    [`Bearer ${text}`, [invalid("revoked"), "Ce jeton d’accès a été révoqué."]] as const,
  ]
  for (const [authorization, [challenge, sentence]] of wrong) {
    const response = await projects(authorization)
    expect([authorization, response.status, response.headers.get("www-authenticate")]).toEqual([
      authorization,
      401,
      challenge,
    ])
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    expect(error).toEqual({ code: "unauthorized", message: expect.stringContaining(sentence) })
  }
})

test("a revoked token is remembered for a year", async () => {
  const { db } = service.app
  const { text, id } = await newToken()
  const messageOf = async () => (await (await projects(`Bearer ${text}`)).json()).error.message
  await revokeToken(db, await requireToken(db, id), clock.now())
  await purgeRevokedTokens(db, clock.now() + 364 * dayMs)
  expect(await messageOf()).toContain("révoqué")
  await purgeRevokedTokens(db, clock.now() + 366 * dayMs)
  expect(await messageOf()).toContain("inconnu")
})

test("a stranger learns nothing about what a route takes: the token is judged before the body and the query", async () => {
  expect((await projects(undefined, { method: "POST", body: "{not json" })).status).toBe(401)
  expect((await projects(undefined, { method: "POST", body: "{}" })).status).toBe(401)
  expect((await fetch(`${service.url}/api/v1/projects?limit=-1`)).status).toBe(401)
  expect((await fetch(`${service.url}/api/v1/projects/none`)).status).toBe(401)
})

test("a token that may read may ask for the head of what it reads, and for no more", async () => {
  const { app } = service
  const workspaceId = await defaultWorkspaceId(app.db)
  const { text } = await createToken(app.db, workspaceId, "", clock.now(), ["projects:read"])
  expect((await projects(`Bearer ${text}`, { method: "HEAD" })).status).toBe(200)
  expect((await projects(`Bearer ${text}`, { method: "POST" })).status).toBe(403)
})

test("a revoked token is refused from the next request on", async () => {
  const { id, text } = await newToken()
  expect((await projects(`Bearer ${text}`)).status).toBe(200)
  await deleteRows(service.app.db, "token", { id })
  expect((await projects(`Bearer ${text}`)).status).toBe(401)
})

test("the database keeps a hash, not the token", async () => {
  const { text } = await newToken()
  const rows = await service.app.db.selectFrom("token").selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(text.slice(4, 20))
})

test("the last use is kept to the hour", async () => {
  const { id, text } = await newToken()
  const lastUsedAt = async () =>
    (await listTokens(service.app.db)).find((token) => token.id === id)?.lastUsedAt as number
  const first = clock.now()
  await projects(`Bearer ${text}`)
  clock.move(hourMs - 1)
  await projects(`Bearer ${text}`)
  expect(await lastUsedAt()).toBe(first)
  clock.move(1)
  await projects(`Bearer ${text}`)
  expect(await lastUsedAt()).toBe(first + hourMs)
})

test("the command line makes, lists and revokes tokens beside the running service", async () => {
  const environment = { GUICHET_DATA_DIR: service.app.config.dataDir }
  const workspace = JSON.parse(
    (await guichet(["workspace", "add", "--name", "Agence", "--json"], environment)).stdout,
  ).id
  const made = await guichet(
    ["token", "create", "--name", "CI", "--workspace", workspace, "--json"],
    environment,
  )
  const { id, token } = JSON.parse(made.stdout)
  expect(token).toMatch(/^gch_[A-Za-z0-9]{43}$/)
  expect((await projects(`Bearer ${token}`)).status).toBe(200)

  const { stdout } = await guichet(["token", "list", "--workspace", workspace, "--json"], environment)
  expect(JSON.parse(stdout).items).toEqual([
    {
      id,
      workspace_id: workspace,
      name: "CI",
      scopes: ["all"],
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: isoTime(clock.now()),
    },
  ])
  expect(stdout).not.toContain(token)

  expect((await guichet(["token", "revoke", id], environment)).exitCode).toBe(0)
  expect((await projects(`Bearer ${token}`)).status).toBe(401)
  const again = await guichet(["token", "revoke", id], environment)
  expect(again.exitCode).toBe(1)
  expect(again.stderr).toContain(`no token ${id}`)
  expect((await guichet(["token", "create", "--workspace", "ws_none"], environment)).exitCode).toBe(1)
})

test("a name has at most 200 characters and stands on one line, on the command line as in the API", async () => {
  const environment = { GUICHET_DATA_DIR: service.app.config.dataDir }
  const { text, id } = await newToken()
  const tokens = async (method: string, path: string, name: string) => {
    const headers = { authorization: `Bearer ${text}`, "content-type": "application/json" }
    const url = `${service.url}/api/v1/tokens${path}`
    const reply = await fetch(url, { method, headers, body: JSON.stringify({ name }) })
    return [reply.status, (await reply.json()).error?.fields]
  }
  const before = (await listTokens(service.app.db)).length
  const tooLong = "é".repeat(201)
  for (const name of [tooLong, "CI\nautre", "CI\u001b[2J", "CI\u2028autre"]) {
    const { exitCode, stdout, stderr } = await guichet(["token", "create", "--name", name], environment)
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain("the name is longer than 200 characters or holds control characters")
    const fields = { name: expect.stringContaining("200 caractères au plus") }
    expect(await tokens("POST", "", name)).toEqual([400, fields])
    expect(await tokens("PATCH", `/${id}`, name)).toEqual([400, fields])
  }
  expect(await listTokens(service.app.db)).toHaveLength(before)
  const longest = "🏡".repeat(200)
  expect((await guichet(["token", "create", "--name", longest], environment)).exitCode).toBe(0)
  expect(await tokens("PATCH", `/${id}`, longest)).toEqual([200, undefined])
})

test("a mistyped field is refused where it would give every right", async () => {
  const { text } = await newToken()
  const made = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${text}`, "content-type": "application/json" }
    const init = { method: "POST", headers, body: JSON.stringify(body) }
    return (await (await fetch(`${service.url}/api/v1/${path}`, init)).json()).error
  }
  expect(await made("tokens", { name: "lecture", scope: ["forms:read"] })).toEqual({
    code: "invalid_request",
    message: "Corrigez les champs indiqués.",
    fields: { scope: "`scope`\u00a0: champ inconnu\u202f; vouliez-vous dire `scopes`\u202f?" },
  })
  expect((await made("tokens", { scopes: ["form:read"] })).fields.scopes).toStartWith(
    "Indiquez une liste de ces valeurs\u00a0: all, ",
  )
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field${at}`, 1]))
  expect(Object.keys((await made("tokens", many)).fields)).toHaveLength(20)
  const operator = { email: "camille@exemple.fr", role: "viewer", rôle: "owner" }
  expect((await made("operators", operator)).fields).toHaveProperty("rôle")
})

test("a body that is no JSON object or too large is refused for what it is", async () => {
  const { text } = await newToken()
  const message = async (body: string) =>
    (await (await projects(`Bearer ${text}`, { method: "POST", body })).json()).error.message
  for (const body of ["{", "[]", "null", '"x"'])
    expect(await message(body)).toBe("Le corps de la requête n’est pas un objet JSON valable.")
  expect(await message(`{"name":"${"x".repeat(100_000)}"}`)).toMatch(
    /^La requête est trop volumineuse\u00a0: \d+\u00a0Ko au plus\.$/,
  )
})

test("a token may expire: from then on it opens nothing, and 401 says why; what it makes ends with it", async () => {
  const { text } = await newToken()
  const make = async (by: string, body: object) => {
    const reply = await fetch(`${service.url}/api/v1/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${by}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    return { status: reply.status, body: await reply.json() }
  }
  const inAnHour = isoTime(clock.now() + hourMs)
  const short = await make(text, { name: "Court", expires_at: inAnHour })
  expect([short.status, short.body.expires_at, short.body.last_used_at]).toEqual([201, inAnHour, null])
  expect((await make(text, { expires_at: null })).body.expires_at).toBeNull()
  const past = await make(text, { expires_at: isoTime(clock.now()) })
  expect([past.status, Object.keys(past.body.error.fields)]).toEqual([400, ["expires_at"]])
  const { token } = short.body
  expect((await make(token, {})).body.expires_at).toBe(inAnHour)
  expect((await make(token, { expires_at: isoTime(clock.now() + 2 * hourMs) })).status).toBe(403)
  clock.move(hourMs - 1)
  expect((await projects(`Bearer ${token}`)).status).toBe(200)
  clock.move(1)
  const refused = await projects(`Bearer ${token}`)
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer realm="guichet", error="invalid_token", error_description="expired"',
  ])
})
