import type { Db } from "../../../db/connection.ts"
import { readFilter } from "../../endpoints/endpoint-filter.ts"
import { eventsIn } from "../../endpoints/event-types.ts"
import { isPaced, pacedBy } from "../../endpoints/pace.ts"
import { openAddDelivery } from "../delivery.ts"
import { openAddMessage } from "../message.ts"
import type { AskedEvent, EventData } from "./event.ts"

interface Announced<Type extends AskedEvent> {
  type: Type
  workspaceId: string
  about: { projectId: string } | { endpointId: string }
  data: EventData<Type>
}

/**
 * Sends an event to the active endpoints of the workspace that ask for it, in the caller's transaction: who gets some
 * projects or forms alone hears of these projects, and of endpoints that get nothing else. A failing endpoint is never
 * told of itself. Stores nothing where no endpoint asks. The caller wakes the dispatcher afterwards.
 */
export async function announce<Type extends AskedEvent>(
  transaction: Db,
  { type, workspaceId, about, data }: Announced<Type>,
  nowMs: number,
): Promise<void> {
  const endpoints = await transaction
    .selectFrom("endpoint")
    .select(["id", "events", "filtered", "in_order", "rate", "rate_per"])
    .where("workspace_id", "=", workspaceId)
    .where("active", "=", 1)
    .where("events", "is not", null)
    .execute()
  const asking: typeof endpoints = []
  for (const endpoint of endpoints)
    if (eventsIn(endpoint.events).includes(type) && (await concerns(transaction, endpoint, about)))
      asking.push(endpoint)
  if (asking.length === 0) return
  const of = { responseId: null, formId: null, about: "projectId" in about ? about.projectId : null }
  const message = { workspaceId, ...of, type, data, now: nowMs }
  const messageId = await openAddMessage(transaction)(transaction, message)
  const addDelivery = openAddDelivery(transaction)
  for (const { id: endpointId, ...row } of asking) {
    const waits = isPaced(pacedBy(row))
    await addDelivery(transaction, { messageId, endpointId, active: true, waits, now: nowMs })
  }
}

async function concerns(
  transaction: Db,
  { id, filtered }: { id: string; filtered: 0 | 1 },
  about: Announced<AskedEvent>["about"],
): Promise<boolean> {
  if ("endpointId" in about && about.endpointId === id) return false
  if (filtered === 0) return true
  const own = await readFilter(transaction, id)
  if ("projectId" in about) return own.projects.includes(about.projectId)
  const other = await readFilter(transaction, about.endpointId)
  return (
    other.projects.length + other.forms.length > 0 &&
    other.projects.every((each) => own.projects.includes(each)) &&
    other.forms.every((each) => own.forms.includes(each))
  )
}

/** Whether such an event about a project was announced since a time. */
export async function wasAnnounced(db: Db, projectId: string, type: AskedEvent, sinceMs: number) {
  const message = await db
    .selectFrom("message")
    .select("id")
    .where("project_id", "=", projectId)
    .where("type", "=", type)
    .where("created_at", ">=", sinceMs)
    .limit(1)
    .executeTakeFirst()
  return message !== undefined
}

/** The workspaces of which an active endpoint asks for this event. */
export async function workspacesAsking(db: Db, type: AskedEvent): Promise<string[]> {
  const rows = await db
    .selectFrom("endpoint")
    .select("workspace_id")
    .distinct()
    .where("active", "=", 1)
    .where("events", "like", `%"${type}"%`)
    .execute()
  return rows.map(({ workspace_id }) => workspace_id)
}
