/**
 * What can happen to a node: killed; stopped by a signal, as an upgrade does; frozen; cut off from PostgreSQL. To
 * all of them at once: PostgreSQL away, or the object store; every connection terminated.
 */
export type FaultKind = "kill" | "drain" | "freeze" | "cut" | "postgres away" | "store away" | "terminate"

/** Times are those of the machine, by which PostgreSQL goes too. */
export interface Fault {
  kind: FaultKind
  /** Undefined: all nodes. */
  node: number | undefined
  fromMs: number
  /** Infinity while it lasts. */
  toMs: number
}

export interface History {
  readonly faults: readonly Fault[]
  /** Resolves when the work does; the fault lasts as long. */
  during(kind: FaultKind, node: number | undefined, work: () => Promise<void>): Promise<void>
}

export function openHistory(): History {
  const faults: Fault[] = []
  return {
    faults,
    async during(kind, node, work) {
      const fault: Fault = { kind, node, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY }
      faults.push(fault)
      process.stdout.write(
        `       ${clockTime(fault.fromMs)} ${kind}${node === undefined ? "" : ` of node ${node}`}\n`,
      )
      try {
        await work()
      } finally {
        fault.toMs = Date.now()
        process.stdout.write(`       ${clockTime(fault.toMs)} … over: ${kind}\n`)
      }
    },
  }
}

export function clockTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 23)
}
