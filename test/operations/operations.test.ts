import { afterAll, beforeAll, expect, test } from "bun:test"
import { createToken } from "../../src/accounts/token.ts"
import { allows, scopes, scopesOf } from "../../src/operations/scope.ts"
import type { RunningServer } from "../../src/server.ts"
import { movableClock } from "../support/clock.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"
import type { World } from "../support/world.ts"

type Performing = RunningServer["performing"][number]

const clock = movableClock()
let world: World
let owner: ConsoleClient

beforeAll(async () => {
  world = await aService().withClock(clock).withOneOfEach().started()
  owner = await signedIn(world.service, "owner", world.api.workspaceId)
})
afterAll(() => world[Symbol.asyncDispose]())

/** Values of the forms of the console that have fields, by address. */
const formValues: Record<string, Record<string, string>> = {
  "/console/webhooks": { url: "https://hooks.acme.fr/console" },
  "/console/webhooks/:endpoint": { description: "Compta", url: "https://hooks.acme.fr/in" },
  "/console/webhooks/:endpoint/answer": { answer: "ok" },
  "/console/webhooks/:endpoint/replays": { since: "2026-03-01" },
  "/console/webhooks/:endpoint/replay/cancel": { at: "1", count: "1" },
}

const isOfConsole = ({ path }: Performing) => path.startsWith("/console")
const nameOf = ({ method, path }: Performing) => `${method} ${path}`

/** What makes a thing comes first, and what removes one last. */
function inOrder(rows: readonly Performing[]): Performing[] {
  const rank = ({ operation: { audit } }: Performing) =>
    audit?.endsWith(".added") ? 0 : audit?.endsWith(".removed") ? 2 : 1
  return rows.toSorted((one, other) => rank(one) - rank(other) || other.path.length - one.path.length)
}

async function addressOf(row: Performing): Promise<string> {
  if (row.path.includes("/answer")) return row.path.replace(":endpoint", await testReceiver())
  return row.path.replace(/([\w-]+)\/:(\w+)/g, (_, collection: string, param: string) => {
    const things = isOfConsole(row) ? `${param.replace(/y$/, "ie")}s` : collection
    const id = world.ids[things]
    if (!id) throw new Error(`the world holds none of ${things}`)
    return `${collection}/${id}`
  })
}

async function testReceiver(): Promise<string> {
  const { items } = (await world.api.get("/api/v1/endpoints")).body
  const found = items.find(({ kind }: { kind: string }) => kind === "test")
  return (found ?? (await world.api.post("/api/v1/endpoints", { kind: "test" })).body).id
}

async function call(row: Performing, token = world.token): Promise<number> {
  const body = world.bodies[nameOf(row).replace(/:(\w+)/g, "{$1}")]
  const reply = await fetch(`${world.service.url}${await addressOf(row)}`, {
    method: row.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  await reply.arrayBuffer()
  return reply.status
}

async function submit(row: Performing, client = owner): Promise<number> {
  return (await client.post(await addressOf(row), formValues[row.path])).status
}

test("every operation asks of either face for its rights, and is done by nobody without them", async () => {
  const { performing } = world.service
  expect(performing.length).toBeGreaterThan(10)
  const viewer = await signedIn(world.service, "viewer", world.api.workspaceId)
  const { db } = world.service.app
  for (const row of performing) {
    const { needs } = row.operation
    if (isOfConsole(row)) {
      const mayViewer = needs.every((scope) => allows(scopesOf("viewer"), scope))
      expect(mayViewer ? 403 : await submit(row, viewer), nameOf(row)).toBe(403)
      continue
    }
    for (const missing of needs) {
      const others = scopes.filter((scope) => scope !== "all" && !allows([scope], missing))
      const { text } = await createToken(db, world.api.workspaceId, "others", clock.now(), others)
      expect(await call(row, text), `${nameOf(row)} without ${missing}`).toBe(403)
    }
  }
})

test("every operation leaves one entry in the audit log that names what it was done to, through either face", async () => {
  // Its own row makes it.
  await world.api.delete(`/api/v1/endpoints/${await testReceiver()}`)
  for (const row of inOrder(world.service.performing)) {
    clock.move(1)
    const before = await lastEntry()
    const status = isOfConsole(row) ? await submit(row) : await call(row)
    expect(status, nameOf(row)).toBeLessThan(400)
    const entry = await lastEntry()
    if (row.operation.audit === null) expect(entry, nameOf(row)).toEqual(before)
    else {
      expect(entry.id, nameOf(row)).not.toBe(before?.id)
      expect(entry, nameOf(row)).toMatchObject({
        action: row.operation.audit,
        actor: { kind: isOfConsole(row) ? "operator" : "token" },
        subject: expect.any(String),
        subject_name: expect.any(String),
      })
    }
    await restore(row)
  }
})

const lastEntry = async () => (await world.api.get("/api/v1/journal?limit=1")).body.items[0]

/** What a row removed is made again for those that come after. */
async function restore({ operation }: Performing): Promise<void> {
  if (operation.audit === "endpoint.removed") {
    const made = await world.api.post("/api/v1/endpoints", { url: "https://hooks.acme.fr/in" })
    world.ids["endpoints"] = made.body.id
  }
}
