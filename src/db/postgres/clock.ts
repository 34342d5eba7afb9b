import { type Kysely, sql } from "kysely"
import { type Clock, secondMs } from "../../base/clock.ts"
import type { Schema } from "../schema.ts"

/** A slower answer says too little about the moment at which the server read its clock. */
const maxRoundTripMs = 200
const measuredEveryMs = 5 * secondMs

/** The clock of the server, within a statement. */
export const serverNow = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
const readClock = sql<{ now: number }>`SELECT ${serverNow} AS now`

/**
 * The clock of the database, which all nodes share: each on its own clock, they would send early what another one
 * has just put off, and repeat what they take for overdue. Measured from time to time, and carried on meanwhile by a
 * clock that does not leap.
 */
export async function openClock(db: Kysely<Schema>): Promise<Clock & Disposable> {
  let offsetMs: number | undefined
  let latestMs = 0

  async function measure(): Promise<void> {
    const sentMs = performance.now()
    const { rows } = await readClock.execute(db)
    const arrivedMs = performance.now()
    const isClose = arrivedMs - sentMs <= maxRoundTripMs
    if (isClose || offsetMs === undefined) offsetMs = (rows[0]?.now as number) - (sentMs + arrivedMs) / 2
  }

  await measure()
  const timer = setInterval(() => measure().catch(() => {}), measuredEveryMs)
  timer.unref()
  return {
    now() {
      const nowMs = Math.round(performance.now() + (offsetMs as number))
      // A correction of some milliseconds waits; a database whose clock was set back is followed.
      latestMs = latestMs - nowMs > secondMs ? nowMs : Math.max(nowMs, latestMs)
      return latestMs
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
