import { isoTime } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import type { Log } from "../log.ts"
import { answerOf, type Failing, takeUntold } from "./failing.ts"

/** Tells the owner of an endpoint by other means than the log. */
export type Notify = (failing: Failing) => Promise<void>

/** Tells the owners of endpoints whose every attempt failed for 24 hours, each at most once a day. */
export async function tellFailing(db: Db, log: Log, notify: Notify, nowMs: number): Promise<void> {
  const untold = await db.transaction().execute((transaction) => takeUntold(transaction, nowMs))
  for (const failing of untold) {
    const since = isoTime(failing.sinceMs)
    log.warn("every attempt at an endpoint fails", {
      endpoint: failing.endpointId,
      since,
      answer: answerOf(failing),
    })
    // The other owners are told all the same.
    await notify(failing).catch((error) =>
      log.error("an owner could not be told", { endpoint: failing.endpointId, error }),
    )
  }
}
