import { readFileSync } from "node:fs"
import { processorMsOf } from "../../src/host/process-usage.ts"

/** Memory in MB. PSS counts a page that several processes share once, RSS once for each. */
export interface Memory {
  pss: number
  rss: number
}

/** Memory of a process with its descendants, as Linux counts it. */
export function memoryOfTree(pid: number): Memory {
  const all = treeOf(pid).map((each) => readFileSync(`/proc/${each}/smaps_rollup`, "utf8"))
  const megabytes = (name: string) =>
    Math.round(
      all.reduce(
        (sum, rollup) => sum + Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]),
        0,
      ) / 1000,
    )
  return { pss: megabytes("Pss"), rss: megabytes("Rss") }
}

/** Processor time of a process with its descendants, in milliseconds. */
export function processorMsOfTree(pid: number): number {
  return treeOf(pid).reduce((sum, each) => sum + (processorMsOf(each) ?? 0), 0)
}

/** A process and its descendants. One that has just ended has none. */
export function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

function childrenOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    return children.split(" ").filter(Boolean).map(Number)
  } catch {
    return []
  }
}
