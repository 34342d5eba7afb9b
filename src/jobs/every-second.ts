import { Cron } from "croner"

/**
 * Calls `run` at every full second until disposed of. Due times stand in the database and are compared with the clock at each
 * beat: no timer has to be kept for them, and none is left standing when the clock leaps or another process writes.
 */
export function everySecond(run: () => void): Disposable {
  const job = new Cron("* * * * * *", { protect: true, catch: true }, run)
  return { [Symbol.dispose]: () => job.stop() }
}
