import { afterAll, test as anyTest, beforeAll, expect } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { demo } from "../support/ask.ts"
import { guichet } from "../support/cli.ts"
import { createDatabase, serverSettings } from "../support/postgres.ts"
import { noPostgres } from "../support/postgres-server.ts"
import { eventually } from "../support/processes.ts"
import { type Served, startServe } from "../support/serve.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

/* Two programs on one PostgreSQL, whatever the engine of the run is. */

const test = anyTest.skipIf(noPostgres())

const site = "https://docs.exemple.fr"
const question = "Comment vérifier la signature d’un webhook ?"
const readyWithinMs = 10_000

let folders: [TemporaryFolder, TemporaryFolder]
let environment: Record<string, string>
let first: Served
let second: Served
let projectId: string
let token: string
let form: { id: string; public_id: string }
/** From the start of the second node to its first answer. */
let answeredAfterMs: number

beforeAll(async () => {
  if (noPostgres()) return
  folders = [temporaryFolder(), temporaryFolder()]
  environment = serverSettings(await createDatabase())
  projectId = await indexedProject()
  token = (await command("token", "create")).token
  first = await startServe({ ...environment, GUICHET_DATA_DIR: folders[0].path })
  const fields = [{ name: "message", label: "Votre message", type: "textarea" }]
  form = await api(first, "/api/v1/forms", { project: projectId, name: "Contact", fields })
  const startedMs = performance.now()
  second = await startServe({ ...environment, GUICHET_DATA_DIR: folders[1].path })
  await eventually(async () => (await ask(second, projectId)).status === 200)
  answeredAfterMs = performance.now() - startedMs
})

afterAll(async () => {
  for (const service of [first, second]) await service?.[Symbol.asyncDispose]()
  for (const folder of folders ?? []) folder[Symbol.dispose]()
})

/** `guichet <argv> --json` beside the first node. */
async function command(...argv: string[]) {
  const ended = await guichet([...argv, "--json"], { ...environment, GUICHET_DATA_DIR: folders[0].path })
  if (ended.exitCode !== 0) throw new Error(ended.stderr)
  return JSON.parse(ended.stdout)
}

async function indexedProject(): Promise<string> {
  const { id } = await command("project", "add", "--name", "Guide", "--site", site)
  await command("index", id, "--dir", demo, "--base-url", site)
  return id
}

async function api({ url }: Served, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.json()
}

async function ask({ url }: Served, project: string) {
  const response = await fetch(`${url}/api/v1/ask`, {
    method: "POST",
    headers: { origin: site, "content-type": "application/json" },
    body: JSON.stringify({ project, question }),
  })
  return { status: response.status, body: await response.json() }
}

test("a node with an empty data folder gives the same answer with the same sources within 10 seconds of its start", async () => {
  expect(answeredAfterMs).toBeLessThan(readyWithinMs)
  const [one, other] = await Promise.all([ask(first, projectId), ask(second, projectId)])
  expect(one.body).toMatchObject({ status: "answered" })
  expect(one.body.sources.length).toBeGreaterThan(0)
  expect(other.body).toEqual({ ...one.body, id: expect.any(String) })
})

test("it lists the form, and takes a post that the first node lists", async () => {
  expect((await api(second, "/api/v1/forms")).items.map(({ id }: { id: string }) => id)).toEqual([form.id])
  const posted = await fetch(`${second.url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin: site, "content-type": "application/json" },
    body: JSON.stringify({ message: "Bonjour" }),
  })
  expect(posted.status).toBe(201)
  const { items } = await api(first, `/api/v1/forms/${form.id}/responses`)
  expect(items).toMatchObject([
    { id: ((await posted.json()) as { id: string }).id, values: { message: "Bonjour" } },
  ])
})

test("a limit of 5 questions a minute over both lets exactly 5 of 20 through", async () => {
  const limited = await indexedProject()
  await command("project", "set", limited, "--per-minute", "5")
  for (const { path } of folders)
    await eventually(() => existsSync(join(path, "index", `${limited}_1.lance`)))
  const asked = [first, second].flatMap((service) => Array.from({ length: 10 }, () => ask(service, limited)))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(15)
})

test("neither folder holds a database", () => {
  for (const { path } of folders) expect(existsSync(join(path, "guichet.db"))).toBe(false)
})
