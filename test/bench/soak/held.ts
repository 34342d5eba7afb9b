import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** What the service holds at a moment. */
export interface Held {
  minute: number
  /** Of the service's own process, as the kernel counts it. */
  memoryMb: number
  /** Of these, what is its own and not the program file or the extracted addon. */
  anonymousMb: number
  descriptors: number
  threads: number
  walMb: number
  indexMb: number
  indexFiles: number
  databaseMb: number
  /** Of the questions since the sample before. */
  askP95Ms: number
}

export function held(pid: number, dataDir: string, minute: number, took: number[]): Held {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1])
  const files = filesOf(join(dataDir, "index"))
  took.sort((one, other) => one - other)
  return {
    minute,
    memoryMb: number("VmRSS") / 1024,
    anonymousMb: number("RssAnon") / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: number("Threads"),
    walMb: megabytes([join(dataDir, "guichet.db-wal")]),
    indexMb: megabytes(files),
    indexFiles: files.length,
    databaseMb: megabytes([join(dataDir, "guichet.db")]),
    askP95Ms: took[Math.floor(took.length * 0.95)] ?? 0,
  }
}

const columns: { name: keyof Held; title: string; digits: number }[] = [
  { name: "minute", title: "minute", digits: 1 },
  { name: "memoryMb", title: "memory MB", digits: 0 },
  { name: "anonymousMb", title: "its own MB", digits: 0 },
  { name: "descriptors", title: "descriptors", digits: 0 },
  { name: "threads", title: "threads", digits: 0 },
  { name: "walMb", title: "WAL MB", digits: 1 },
  { name: "indexMb", title: "index MB", digits: 1 },
  { name: "indexFiles", title: "index files", digits: 0 },
  { name: "databaseMb", title: "database MB", digits: 1 },
  { name: "askP95Ms", title: "ask p95 ms", digits: 1 },
]

export const title = columns.map((column) => column.title).join(" | ")

export function row(sample: Held): string {
  return columns
    .map((column) => sample[column.name].toFixed(column.digits).padStart(column.title.length))
    .join(" | ")
}

/** How much more the last quarter of a run may hold than the second: what is above was not given back. */
const allowed: { name: keyof Held; what: string; factor: number; plus: number }[] = [
  { name: "memoryMb", what: "memory MB", factor: 1.1, plus: 20 },
  { name: "anonymousMb", what: "its own memory MB", factor: 1.15, plus: 20 },
  { name: "descriptors", what: "file descriptors", factor: 1, plus: 15 },
  { name: "threads", what: "threads", factor: 1, plus: 4 },
  { name: "walMb", what: "WAL MB", factor: 1.2, plus: 8 },
  { name: "indexMb", what: "index MB", factor: 1.5, plus: 5 },
  { name: "indexFiles", what: "index files", factor: 1.5, plus: 50 },
]

/** Medians of the second and of the last quarter: the first is for warming up. */
export function growth(samples: readonly Held[]) {
  const quarter = Math.floor(samples.length / 4)
  return allowed.map(({ name, what, factor, plus }) => {
    const from = median(samples.slice(quarter, 2 * quarter).map((sample) => sample[name]))
    const to = median(samples.slice(-quarter).map((sample) => sample[name]))
    const most = from * factor + plus
    return { what, from: from.toFixed(1), to: to.toFixed(1), most: most.toFixed(1), flat: to <= most }
  })
}

function median(numbers: number[]): number {
  return numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** A file that goes while it is looked at weighs nothing. */
function megabytes(files: readonly string[]): number {
  return (
    files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0) / 2 ** 20
  )
}
