import { type Kysely, sql } from "kysely"
import { type Clock, secondMs } from "../../base/clock.ts"
import type { Schema } from "../schema.ts"

/** A slower answer says too little about the moment at which the server read its clock. */
const maxRoundTripMs = 200
const measuredEveryMs = 5 * secondMs
/** At the start, until an answer comes fast enough. */
const firstTries = 3

/** The clock of the server, within a statement. */
export const serverNow = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
const readClock = sql<{ now: number }>`SELECT ${serverNow} AS now`

/** The time of the server at this moment. */
export async function readServerTime(db: Kysely<Schema>): Promise<number> {
  const { rows } = await readClock.execute(db)
  return rows[0]?.now as number
}

/**
 * The clock of the database, which all nodes share: each on its own clock, they would send early what another one
 * has just put off, and repeat what they take for overdue. Measured from time to time, and carried on meanwhile by a
 * clock that does not leap.
 */
export async function openClock(db: Kysely<Schema>): Promise<Clock & Disposable> {
  let offsetMs = 0
  let roundTripMs = Number.POSITIVE_INFINITY
  let latestMs = 0

  /** Resolves to whether the answer came fast enough. A slow one counts as long as none was faster. */
  async function measure(): Promise<boolean> {
    const sentMs = performance.now()
    const { rows } = await readClock.execute(db)
    const arrivedMs = performance.now()
    const tookMs = arrivedMs - sentMs
    if (tookMs <= Math.max(maxRoundTripMs, roundTripMs)) {
      offsetMs = (rows[0]?.now as number) - (sentMs + arrivedMs) / 2
      roundTripMs = tookMs
    }
    return tookMs <= maxRoundTripMs
  }

  // The first answer waits for the connection, too: it says nothing.
  await readClock.execute(db)
  for (let tries = 1; !(await measure()) && tries < firstTries; tries++);
  const timer = setInterval(() => measure().catch(() => {}), measuredEveryMs)
  timer.unref()
  return {
    now() {
      const nowMs = Math.round(performance.now() + offsetMs)
      // A correction of some milliseconds waits; a database whose clock was set back is followed.
      latestMs = latestMs - nowMs > secondMs ? nowMs : Math.max(nowMs, latestMs)
      return latestMs
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
