import { dayMs, isoTime } from "../../../base/clock.ts"
import type { Log } from "../../../base/log.ts"
import type { Db } from "../../../db/connection.ts"
import { inSteps } from "../../../db/steps.ts"
import { changeRows } from "../../../db/store.ts"
import { cancel } from "../../endpoints/cancel.ts"
import { logKeptMs } from "../../messages/purge.ts"
import { waitingEndpoints } from "./release.ts"

/** Days after which the owner of an endpoint is told that a delivery still waits for its turn. */
const toldAfterDays = [1, 7, 25]
const deliveryBytes = 500

export interface LongWait {
  endpointId: string
  url: string
  description: string
  sinceMs: number
  days: number
}

/** Tells the owners of a workspace by other means than the log. */
export type NotifyWaits = (workspaceId: string, waits: readonly LongWait[]) => Promise<void>

interface LongWaitDeps {
  db: Db
  log: Log
  /** The dispatcher may be about to release what is cancelled. */
  messageQueue: { invalidateClaims(): void }
}

/**
 * Cancels what has waited for its turn for as long as the log is kept, without an attempt: its contents would stay for
 * ever. It stands in the log with that reason for as long again, and can be sent again.
 */
export async function endLongWaits({ db, log, messageQueue }: LongWaitDeps, nowMs: number): Promise<void> {
  const before = nowMs - logKeptMs
  const waits = await db.transaction().execute(firstWaits)
  for (const { id } of waits.filter(({ waits_since }) => waits_since <= before)) {
    const count = await inSteps(
      db,
      async (transaction, atMost) => {
        const rows = await transaction
          .selectFrom("delivery")
          .select("number")
          .where("endpoint_id", "=", id)
          .where("waits_since", "<=", before)
          .orderBy("number")
          .limit(atMost)
          .execute()
        return rows.map(({ number }) => ({ number, bytes: deliveryBytes }))
      },
      (transaction, rows) =>
        cancel(
          transaction,
          rows.map(({ number }) => number),
          nowMs,
          "waited",
        ),
      messageQueue.invalidateClaims,
    )
    log.warn("deliveries were cancelled that waited for their turn too long", { endpoint: id, count })
  }
}

/** Tells owners once for each of `toldAfterDays`, and from the first again once nothing of the endpoint waits. */
export async function notifyLongWaits(
  { db, log }: Pick<LongWaitDeps, "db" | "log">,
  notify: NotifyWaits,
  nowMs: number,
): Promise<void> {
  const workspaces = new Map<string, LongWait[]>()
  await db.transaction().execute(async (transaction) => {
    const waits = await firstWaits(transaction)
    const waiting = waits.map(({ id }) => id)
    await transaction
      .updateTable("endpoint")
      .set({ waiting_told: 0 })
      .where("waiting_told", ">", 0)
      .$if(waiting.length > 0, (query) => query.where("id", "not in", waiting))
      .execute()
    for (const { id, workspace_id, url, description, waits_since: sinceMs, waiting_told: told } of waits) {
      const days = toldAfterDays.findLast((each) => sinceMs <= nowMs - each * dayMs) ?? 0
      if (days <= told) continue
      await changeRows(transaction, "endpoint", { id }, { waiting_told: days })
      workspaces.getOrInsert(workspace_id, []).push({ endpointId: id, url, description, sinceMs, days })
    }
  })
  for (const [workspace, waits] of workspaces) {
    for (const { endpointId, sinceMs } of waits)
      log.warn("a delivery has waited for its turn for long", {
        endpoint: endpointId,
        since: isoTime(sinceMs),
      })
    // A workspace that cannot be told does not hold up the others.
    await notify(workspace, waits).catch((error) =>
      log.error("owners could not be told", { workspace, error }),
    )
  }
}

/**
 * The endpoints with waiting deliveries, each with the time since when the first of them waits. A retry or a replay
 * goes ahead of what came later, and has waited for less: the first that was never attempted is looked at behind them.
 */
async function firstWaits(transaction: Db) {
  const { rows } = await waitingEndpoints(transaction, {})
  if (rows.length === 0) return []
  const heads = await transaction
    .selectFrom("delivery")
    .innerJoin("endpoint", "endpoint.id", "delivery.endpoint_id")
    .select(["endpoint.id", "workspace_id", "url", "description", "waiting_told", "waits_since"])
    .select(["attempts_made", "replayed_at"])
    .where(
      "delivery.number",
      "in",
      rows.map(({ head }) => Number(head)),
    )
    .orderBy("endpoint.id")
    .execute()
  const waits: (Omit<(typeof heads)[number], "waits_since"> & { waits_since: number })[] = []
  for (const { waits_since, ...endpoint } of heads) {
    if (waits_since === null) continue
    const isNew = endpoint.attempts_made === 0 && endpoint.replayed_at === null
    const behind = isNew ? undefined : await firstNew(transaction, endpoint.id)
    waits.push({ ...endpoint, waits_since: Math.min(waits_since, behind ?? waits_since) })
  }
  return waits
}

/** Since when the first waiting delivery of an endpoint waits that was never attempted. */
async function firstNew(transaction: Db, endpointId: string): Promise<number | undefined> {
  const row = await transaction
    .selectFrom("delivery")
    .select("waits_since")
    .where("waits_since", "is not", null)
    .where("endpoint_id", "=", endpointId)
    .where("attempts_made", "=", 0)
    .where("replayed_at", "is", null)
    .orderBy("number")
    .limit(1)
    .executeTakeFirst()
  return row?.waits_since ?? undefined
}
