import { Counter, Gauge, type Registry } from "prom-client"

/** Metrics whose values are read when Prometheus asks. */
export function readWhenAsked(registry: Registry) {
  const registers = [registry]
  return {
    /** A figure that `read` has no value for is absent. */
    gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await read()
          if (value === undefined) this.remove()
          else this.set(value)
        },
      })
    },
    counter(name: string, help: string, read: () => number): void {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    /** Counts by one label. */
    counts(name: string, help: string, label: string, read: () => Partial<Record<string, number>>): void {
      new Counter({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
        },
      })
    },
  }
}
