import { afterAll, beforeAll, expect, test } from "bun:test"
import { createToken, requireToken, revokeToken } from "../../src/accounts/token.ts"
import { hourMs } from "../../src/base/clock.ts"
import { csrfField } from "../../src/console/kit/session/csrf.ts"
import { strangerOf } from "../support/api.ts"
import { movableClock } from "../support/clock.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import { call, isOfConsole, nameOf } from "../support/performing.ts"
import { aService } from "../support/service-builder.ts"
import type { World } from "../support/world.ts"

// What a page of another site can have a signed-in operator's browser do, and what a token that is no longer one can.

const clock = movableClock()
let world: World
let owner: ConsoleClient
let token: string

beforeAll(async () => {
  world = await aService().withClock(clock).withOneOfEach().started()
  owner = await signedIn(world.service, "owner", world.api.workspaceId)
  const page = await owner.get("/console/projects")
  token = new RegExp(`name="${csrfField}" value="([^"]+)"`).exec(page.text)?.[1] as string
})
afterAll(() => world[Symbol.asyncDispose]())

/** Any of them: what is not done is not looked for. */
const withIds = (route: string) =>
  route.replace(/([\w-]+)\/:(\w+)/g, (_, collection: string, param: string) => {
    const id = world.ids[`${param.replace(/y$/, "ie")}s`] ?? world.ids[collection] ?? "x"
    return `${collection}/${id}`
  })

/** Everything that the audit logs of all workspaces and the lists of things hold. */
async function everything(): Promise<unknown> {
  const { db } = world.service.app
  const count = async (
    table: "audit_log" | "project" | "form" | "endpoint" | "token" | "session" | "member",
  ) =>
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as("n"))
        .executeTakeFirstOrThrow()
    ).n
  const tables = ["audit_log", "project", "form", "endpoint", "token", "session", "member"] as const
  return Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, Number(await count(table))])),
  )
}

test("no page of another site changes anything through the browser of who is signed in, on any route of the console", async () => {
  const { url, routes } = world.service
  const here = new URL(url)
  const senders: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    {},
    { origin: `http://evil.${here.host}` },
    { origin: `http://${here.hostname}` },
    { origin: `http://${here.hostname}:1` },
    { origin: `https://${here.host}.evil.example` },
    { origin: `${url}.evil.example` },
    { origin: url, "sec-fetch-site": "same-site" },
    { origin: url, "sec-fetch-site": "cross-site" },
  ]
  const bodies: [type: string, body: string][] = [
    ["application/x-www-form-urlencoded", new URLSearchParams({ [csrfField]: token }).toString()],
    ["text/plain", `${csrfField}=${token}`],
    ["application/json", JSON.stringify({ [csrfField]: token })],
  ]
  // The preview answers by itself: it asks and keeps nothing.
  const posts = routes.filter((route) => /^(POST|PUT|PATCH|DELETE) \/console(?!.*\/preview\/)/.test(route))
  expect(posts.length).toBeGreaterThan(60)
  const before = await everything()
  for (const route of posts) {
    const [method = "", path = ""] = route.split(" ")
    for (const sender of senders)
      for (const [type, body] of bodies) {
        const headers = { cookie: owner.cookie, "content-type": type, ...sender }
        const reply = await fetch(url + withIds(path), { method, redirect: "manual", headers, body })
        await reply.arrayBuffer()
        const isRefused =
          reply.status === 403 ||
          (reply.status === 303 && reply.headers.get("location") === "/console/sign-in")
        expect([route, sender, type, isRefused ? "refused" : reply.status]).toEqual([
          route,
          sender,
          type,
          "refused",
        ])
      }
  }
  expect(await everything()).toEqual(before)
  expect((await owner.get("/console/projects")).status).toBe(200)
})

test("the session of the console opens no route of the management API", async () => {
  const before = await everything()
  for (const row of world.service.performing.filter((each) => !isOfConsole(each))) {
    const reply = await fetch(world.service.url + withIds(row.path), {
      method: row.method,
      headers: { cookie: owner.cookie, origin: world.service.url, "content-type": "text/plain" },
      ...(row.method !== "GET" && { body: "{}" }),
    })
    await reply.arrayBuffer()
    expect([nameOf(row), reply.status]).toEqual([nameOf(row), 401])
  }
  expect(await everything()).toEqual(before)
})

test("a token that was revoked, has expired, or is another workspace's does nothing, on any operation", async () => {
  const { service, api } = world
  const { db } = service.app
  const made = async (expires: number | null = null) =>
    createToken(db, api.workspaceId, "", clock.now(), ["all"], expires)
  const revoked = await made()
  await revokeToken(db, await requireToken(db, revoked.id), clock.now())
  const expired = await made(clock.now() + hourMs)
  const stranger = await strangerOf(service)
  const other = (await createToken(db, stranger.workspaceId, "", clock.now())).text
  clock.move(2 * hourMs)
  const before = await everything()
  for (const row of service.performing.filter((each) => !isOfConsole(each))) {
    for (const [name, text] of Object.entries({
      revoked: revoked.text,
      expired: expired.text,
      wrong: "gch_x",
    }))
      expect([nameOf(row), name, await call(world, row, text)]).toEqual([nameOf(row), name, 401])
    if (!/:/.test(row.path)) continue
    const status = await call(world, row, other)
    expect([nameOf(row), status]).toEqual([nameOf(row), 404])
  }
  expect(await everything()).toEqual(before)
})
