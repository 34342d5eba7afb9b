import { Gauge, Registry } from "prom-client"
import { withTimeout } from "../base/async.ts"
import { secondMs } from "../base/clock.ts"
import type { Log } from "../base/log.ts"

/** Less than the 10 seconds that Prometheus waits for the whole page. */
const readWithinMs = 5 * secondMs

export type DatabaseGauges = ReturnType<typeof openDatabaseGauges>

/**
 * Gauges of what the database holds, which all its nodes have in common: no series of them has the label `node`. They
 * are read when Prometheus asks, so that they include the work of other processes.
 */
export function openDatabaseGauges(log: Log) {
  const registry = new Registry()
  const gauges: { gauge: Gauge; read: () => Promise<number | undefined> }[] = []
  return {
    registry,
    /** A figure that `read` has no value for is absent. */
    add(name: string, help: string, read: () => Promise<number | undefined>): void {
      gauges.push({ gauge: new Gauge({ name, help, registers: [registry] }), read })
    },
    /** Reads them. One that cannot be read in time is absent. Resolves to whether all could be. */
    async read() {
      const endsAtMs = performance.now() + readWithinMs
      let failure: unknown
      // One after the other: connections are for visitors.
      for (const { gauge, read } of gauges)
        try {
          const leftMs = endsAtMs - performance.now()
          if (leftMs <= 0) throw tooSlow()
          const value = await withTimeout(read(), leftMs, tooSlow)
          if (value === undefined) gauge.remove()
          else gauge.set(value)
        } catch (error) {
          failure ??= error
          gauge.remove()
        }
      if (failure !== undefined)
        log.warning("figures of the database are missing in /metrics", { error: failure })
      return failure === undefined
    },
  }
}

function tooSlow(): Error {
  return new Error(`the database did not answer within ${readWithinMs / secondMs} seconds`)
}
