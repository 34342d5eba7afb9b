import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** What the service holds at a moment. */
export interface Held {
  minute: number
  /** Of the service's own process, as the kernel counts it. */
  memoryMb: number
  /** Of these, what is its own and not the program file or the extracted addon. */
  anonymousMb: number
  /**
   * Of JavaScript objects, and of what they hold outside the heap, as the service itself tells Prometheus.
   */
  heapMb: number
  externalMb: number
  descriptors: number
  threads: number
  walMb: number
  indexMb: number
  indexFiles: number
  databaseMb: number
  /** Of the questions since the sample before. */
  askP95Ms: number
}

/** `figures`: what `/metrics` said at the same moment. */
export function held(
  pid: number,
  dataDir: string,
  figures: string,
  minute: number,
  took: readonly number[],
): Held {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1])
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(figures)?.[1])
  const files = filesOf(join(dataDir, "index"))
  return {
    minute,
    memoryMb: number("VmRSS") / 1024,
    anonymousMb: number("RssAnon") / 1024,
    heapMb: figure("process_heap_bytes") / 2 ** 20,
    externalMb: figure("process_external_bytes") / 2 ** 20,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: number("Threads"),
    walMb: megabytes([join(dataDir, "guichet.db-wal")]),
    indexMb: megabytes(files),
    indexFiles: files.length,
    databaseMb: megabytes([join(dataDir, "guichet.db")]),
    askP95Ms: took.toSorted((one, other) => one - other)[Math.floor(took.length * 0.95)] ?? 0,
  }
}

const columns: { name: keyof Held; title: string; digits: number }[] = [
  { name: "minute", title: "minute", digits: 1 },
  { name: "memoryMb", title: "memory MB", digits: 0 },
  { name: "anonymousMb", title: "its own MB", digits: 0 },
  { name: "heapMb", title: "heap MB", digits: 0 },
  { name: "externalMb", title: "external MB", digits: 1 },
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
