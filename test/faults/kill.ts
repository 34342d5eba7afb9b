import { Database } from "bun:sqlite"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { openApp } from "../../src/app.ts"
import { secondMs } from "../../src/base/clock.ts"
import type { Db } from "../../src/db/connection.ts"
import { databasePath } from "../../src/db/sqlite/connection.ts"
import { startServer } from "../../src/server.ts"
import { insertEndpoint } from "../../src/webhooks/endpoints/endpoint.ts"
import { apiOf } from "../support/api.ts"
import { openAuthority } from "../support/authority.ts"
import { manyPosts } from "../support/many-posts.ts"
import { engine } from "../support/postgres.ts"
import { type Receiver, settingsFor, startReceiver } from "../support/receiver.ts"
import { type Served, startServe } from "../support/serve.ts"
import { configOf, temporaryFolder } from "../support/service.ts"

/**
 * Kills the service with SIGKILL at random moments, under form posts and deliveries, and counts what was lost.
 *
 *   bun test/faults/kill.ts [KILLS, 50 unless told]
 */
export interface Verdict {
  kills: number
  /** Form responses that were acknowledged with a 201. */
  acknowledged: number
  /** Of these, those that are not in the database. */
  responsesLost: number
  /** Of these, those that the endpoint never got. */
  deliveriesLost: number
  /** Of these, those that are not `delivered` in the log. */
  undelivered: number
  /** Form responses that came more than once. */
  duplicates: number
  /** Form responses that came under several webhook-ids, or with different bytes. */
  duplicatesThatDiffer: number
  interrupted: number
  /** What `PRAGMA integrity_check` of SQLite said after each kill; one `ok` when all did. */
  integrity: string[]
}

const site = "https://www.acme.fr"
/** How many posts are under way at once. */
const posters = 8

/** A moment to kill at: resolves when it has come. */
export type Moment = (service: Served, receiver: Receiver) => Promise<unknown>

export async function killRepeatedly(kills: number, random: () => number = Math.random): Promise<Verdict> {
  return killAt(
    Array.from({ length: kills }, () => () => Bun.sleep(50 + random() * 700)),
    random,
  )
}

/** Kills once at each of these moments. */
export async function killAt(
  moments: readonly Moment[],
  random: () => number = Math.random,
): Promise<Verdict> {
  using folder = temporaryFolder()
  using authority = openAuthority()
  await using receiver = await startReceiver(authority, "hooks.acme.fr", async (_, number) => {
    await Bun.sleep(random() * 30)
    return new Response("", { status: number % 10 === 0 ? 503 : 200 })
  })
  const environment = {
    GUICHET_DATA_DIR: folder.path,
    ...manyPosts,
    ...settingsFor(authority, receiver),
  }
  const formId = await prepare(environment)
  const acknowledged = new Set<string>()
  const integrity = new Set<string>()
  for (const moment of moments) {
    await runAndKill(environment, formId, acknowledged, receiver, moment)
    // A database of a server was not killed with the service.
    if (engine === "sqlite") integrity.add(checkIntegrity(folder.path))
  }
  const stored = await finish(environment, receiver)
  return { kills: moments.length, ...judged(stored, acknowledged, receiver), integrity: [...integrity] }
}

/** One form, and one endpoint that gets it. */
async function prepare(environment: Record<string, string>): Promise<string> {
  const config = await configOf({ ...environment, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" })
  await using app = await openApp(config)
  await using server = startServer(app)
  const api = await apiOf({ app, url: server.url } as never)
  const project = await api.post("/api/v1/projects", { name: "Acme", site })
  const fields = [{ name: "texte", label: "Texte", type: "text" }]
  const form = await api.post("/api/v1/forms", { project: project.body.id, name: "Contact", fields })
  const wanted = { url: "https://hooks.acme.fr/hook", description: "", active: true, projects: [], forms: [] }
  await insertEndpoint(app.db, app.vault, await defaultWorkspaceId(app.db), wanted, app.clock.now())
  return form.body.public_id
}

async function runAndKill(
  environment: Record<string, string>,
  formId: string,
  acknowledged: Set<string>,
  receiver: Receiver,
  moment: Moment,
): Promise<void> {
  const service = await startServe(environment)
  let killed = false
  const posting = Array.from({ length: posters }, async () => {
    while (!killed) {
      const id = await post(`${service.url}/f/${formId}`).catch(() => undefined)
      if (id) acknowledged.add(id)
    }
  })
  await moment(service, receiver)
  service.stop("SIGKILL")
  killed = true
  await service.exited
  await Promise.all(posting)
}

async function post(url: string): Promise<string | undefined> {
  const response = await fetch(url, {
    method: "POST",
    headers: { origin: site, "content-type": "application/json" },
    body: JSON.stringify({ texte: "x".repeat(300) }),
  })
  return response.status === 201 ? (await response.json()).id : undefined
}

function checkIntegrity(folder: string): string {
  using database = new Database(databasePath(folder))
  return (database.query("PRAGMA integrity_check").get() as { integrity_check: string }).integrity_check
}

/**
 * What is left over is sent by a last start whose clock is ahead, so that no lease or retry has to be waited
 * for. Resolves to what is stored then.
 */
async function finish(environment: Record<string, string>, receiver: Receiver): Promise<Stored> {
  receiver.answer = () => new Response("")
  let aheadMs = 0
  const clock = { now: () => Date.now() + aheadMs }
  const config = await configOf({ ...environment, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" })
  await using app = await openApp(config, { clock })
  await using work = app.work()
  // On PostgreSQL the lease of a process that died is ended by the sixth turn.
  for (let round = 0; round < 9; round++) {
    aheadMs += 20 * secondMs
    await work.dispatcher.settled()
  }
  return await readStored(app.db)
}

interface Stored {
  responses: Set<string>
  /** Of these, those of which a delivery is `delivered`. */
  delivered: Set<string | null>
  interrupted: number
}

async function readStored(db: Db): Promise<Stored> {
  const responses = await db.selectFrom("form_response").select("id").execute()
  const delivered = await db
    .selectFrom("message")
    .innerJoin("delivery", "delivery.message_id", "message.id")
    .select("response_id")
    .where("state", "=", "delivered")
    .execute()
  const interrupted = await db
    .selectFrom("attempt")
    .select("number")
    .where("outcome", "=", "interrupted")
    .execute()
  return {
    responses: new Set(responses.map(({ id }) => id)),
    delivered: new Set(delivered.map(({ response_id }) => response_id)),
    interrupted: interrupted.length,
  }
}

function judged(stored: Stored, acknowledged: ReadonlySet<string>, receiver: Receiver) {
  const arrivals = new Map<string, string[]>()
  for (const { headers, body } of receiver.received) {
    const text = new TextDecoder().decode(body)
    const { id } = JSON.parse(text).data
    arrivals.set(id, [...(arrivals.get(id) ?? []), `${headers.get("webhook-id")} ${text}`])
  }
  const all = [...acknowledged]
  const repeated = [...arrivals.values()].filter((copies) => copies.length > 1)
  return {
    acknowledged: all.length,
    responsesLost: all.filter((id) => !stored.responses.has(id)).length,
    deliveriesLost: all.filter((id) => !arrivals.has(id)).length,
    undelivered: [...stored.responses].filter((id) => !stored.delivered.has(id)).length,
    duplicates: repeated.length,
    duplicatesThatDiffer: repeated.filter((copies) => new Set(copies).size > 1).length,
    interrupted: stored.interrupted,
  }
}

if (import.meta.main) {
  const verdict = await killRepeatedly(Number(process.argv[2] ?? 50))
  process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
}
