import { readdirSync } from "node:fs"
import type { Registry } from "prom-client"
import { secondMs } from "../base/clock.ts"
import { readWhenAsked } from "./read-when-asked.ts"

/**
 * Process metrics under Prometheus' usual names. Those of the library itself call parts of Node that Bun does
 * not have.
 */
export function addProcessMetrics(registry: Registry): void {
  const { gauge, counter } = readWhenAsked(registry)
  gauge("process_resident_memory_bytes", "Memory in use", () => process.memoryUsage.rss())
  gauge("process_heap_bytes", "Memory of JavaScript objects", () => process.memoryUsage().heapUsed)
  gauge(
    "process_external_bytes",
    "Memory that JavaScript objects hold outside",
    () => process.memoryUsage().external,
  )
  gauge("process_uptime_seconds", "Time since the start", () => process.uptime())
  gauge("process_start_time_seconds", "When the process started, in seconds since 1970", () => startedAt)
  gauge("process_open_fds", "Open file descriptors", openFiles)
  counter("process_cpu_seconds_total", "Processor time used", () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
}

/** Read once: computed anew at each scrape it would waver, and look like a restart. */
const startedAt = performance.timeOrigin / secondMs

/** Undefined on other systems than Linux. */
function openFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}
