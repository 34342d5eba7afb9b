import { readdirSync } from "node:fs"
import { Gauge, type Registry } from "prom-client"

/**
 * Process metrics under Prometheus' usual names. Those of the library itself call parts of Node that Bun does
 * not have.
 */
export function addProcessMetrics(registry: Registry): void {
  function gauge(name: string, help: string, read: () => number | undefined): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const value = read()
        if (value !== undefined) this.set(value)
      },
    })
  }

  gauge("process_resident_memory_bytes", "Memory in use", () => process.memoryUsage.rss())
  gauge("process_heap_bytes", "Memory of JavaScript objects", () => process.memoryUsage().heapUsed)
  gauge(
    "process_external_bytes",
    "Memory that JavaScript objects hold outside",
    () => process.memoryUsage().external,
  )
  gauge("process_uptime_seconds", "Time since the start", () => process.uptime())
  gauge("process_open_fds", "Open file descriptors", openFiles)
  gauge("process_cpu_seconds_total", "Processor time used", () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
}

/** Undefined on other systems than Linux. */
function openFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}
