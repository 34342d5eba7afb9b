import { isoTime } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import { answerOf, type Failing, takeUntold } from "./failing.ts"

/** An endpoint that keeps failing, as its owner knows it. */
export type FailingEndpoint = Failing & { url: string }

/** Tells the owners of a workspace's endpoints by other means than the log. */
export type Notify = (workspaceId: string, failing: readonly FailingEndpoint[]) => Promise<void>

/**
 * Tells the owners of endpoints whose every attempt failed for 24 hours, of each at most once a day; of all
 * those of a workspace together, since they often stand on one machine.
 */
export async function tellFailing(db: Db, log: Log, notify: Notify, nowMs: number): Promise<void> {
  const untold = await db.transaction().execute((transaction) => takeUntold(transaction, nowMs))
  for (const failing of untold)
    log.warn("every attempt at an endpoint fails", {
      endpoint: failing.endpointId,
      since: isoTime(failing.sinceMs),
      answer: answerOf(failing),
    })
  // The other owners are told all the same.
  for (const [workspaceId, failing] of await byWorkspace(db, untold))
    await notify(workspaceId, failing).catch((error) =>
      log.error("owners could not be told", { workspace: workspaceId, error }),
    )
}

async function byWorkspace(db: Db, failing: readonly Failing[]): Promise<Map<string, FailingEndpoint[]>> {
  if (failing.length === 0) return new Map()
  const ids = failing.map(({ endpointId }) => endpointId)
  const endpoints = await db
    .selectFrom("endpoint")
    .select(["id", "url", "workspace_id"])
    .where("id", "in", ids)
    .execute()
  const byWorkspace = new Map<string, FailingEndpoint[]>()
  for (const { id, url, workspace_id } of endpoints) {
    const one = failing.find(({ endpointId }) => endpointId === id) as Failing
    byWorkspace.set(workspace_id, [...(byWorkspace.get(workspace_id) ?? []), { ...one, url }])
  }
  return byWorkspace
}
