import { sql } from "kysely"
import { insertWorkspace } from "../../../src/accounts/workspace.ts"
import type { App } from "../../../src/app.ts"
import { newId } from "../../../src/base/ids.ts"
import { insertEndpoint } from "../../../src/webhooks/endpoints/endpoint.ts"

export interface Destination {
  workspaceId: string
  endpointId: string
}

/** One endpoint in each of so many workspaces. */
export async function openDestinations(
  { db, vault, clock }: App,
  name: string,
  count: number,
): Promise<Destination[]> {
  const destinations: Destination[] = []
  for (let number = 0; number < count; number++) {
    const workspaceId = await insertWorkspace(db, `destination ${number}`, clock.now())
    const wanted = { url: `https://${name}/hook`, description: "", active: true, projects: [], forms: [] }
    const { endpoint } = await insertEndpoint(db, vault, workspaceId, wanted, clock.now())
    destinations.push({ workspaceId, endpointId: endpoint.id })
  }
  return destinations
}

/** So many deliveries, spread evenly, due now. */
export async function fill(
  { db, clock, messageQueue }: App,
  destinations: readonly Destination[],
  count: number,
): Promise<void> {
  const batch = 1000
  for (let start = 0; start < count; start += batch) {
    await db.transaction().execute(async (transaction) => {
      for (let number = start; number < Math.min(start + batch, count); number++) {
        const { workspaceId } = destinations[number % destinations.length] as Destination
        const now = clock.now()
        const responseId = newId("resp", now)
        const ids = { workspaceId, projectId: "exempleexemple", formId: "form_1", responseId }
        await messageQueue.enqueue(transaction, { ...ids, data: dataOf(responseId), now })
      }
    })
  }
}

/** Delivered long ago: made by SQLite itself, a million takes some seconds. */
export async function storeDelivered(
  { db }: App,
  destinations: readonly Destination[],
  count: number,
): Promise<void> {
  const { workspaceId, endpointId } = destinations[0] as Destination
  const numbers = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  const id = (prefix: string) => sql`${prefix} || printf('%032d', i)`
  const statements = [
    sql`${numbers} INSERT INTO message (id, workspace_id, response_id, type, payload, created_at)
      SELECT ${id("msg_")}, ${workspaceId}, NULL, 'form.response.created',
      CAST(printf('%.200c', 'x') AS BLOB), i FROM n WHERE true`,
    sql`${numbers} INSERT INTO delivery (number, id, message_id, endpoint_id, state, attempts_made, created_at, ended_at,
      due_is_late, resend_is_late) SELECT i + 1000000, ${id("dlv_")}, ${id("msg_")}, ${endpointId}, 'delivered', 1, i, i, 1, 0
      FROM n WHERE true`,
    sql`${numbers} INSERT INTO attempt (delivery_number, number, kind, at, outcome, status, duration_ms)
      SELECT i + 1000000, 1, 'automatic', i, 'delivered', 204, 3 FROM n WHERE true`,
  ]
  for (const statement of statements)
    await db.transaction().execute((transaction) => statement.execute(transaction))
}

/**
 * What was measured before leaves neither garbage nor pages that wait for the disk to what is measured next.
 */
export function clearUp(): void {
  Bun.gc(true)
  Bun.spawnSync(["sync"])
}

/** Some 1 kB, as a contact form makes. */
export function dataOf(id: string) {
  return {
    id,
    form_id: "form_1",
    form_public_id: "contact",
    form_name: "Contact",
    values: { texte: "x".repeat(700) },
    email: null,
    consent: null,
    page: "https://www.acme.fr/contact",
    created_at: "2026-03-10T09:00:00.000Z",
  } as never
}

/** Seconds until everything due has been sent and written down. */
export async function drain(app: App): Promise<number> {
  clearUp()
  const started = performance.now()
  await using work = app.work()
  await work.dispatcher.settled()
  return (performance.now() - started) / 1000
}
