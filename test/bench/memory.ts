import { readFileSync } from "node:fs"

/** Memory in MB. PSS counts a page that several processes share once, RSS once for each. */
export interface Memory {
  pss: number
  rss: number
}

/** Memory of a process with its descendants, as Linux counts it. */
export function memoryOfTree(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1]) / 1000)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean)
  return children
    .map((child) => memoryOfTree(Number(child)))
    .reduce((sum, one) => ({ pss: sum.pss + one.pss, rss: sum.rss + one.rss }), {
      pss: megabytes("Pss"),
      rss: megabytes("Rss"),
    })
}
