import { readdirSync, readFileSync } from "node:fs"

/** The processes whose command line holds these words, one after the other. */
export function processesOf(...words: string[]): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => `\0${read(`/proc/${pid}/cmdline`)}`.includes(`\0${words.join("\0")}\0`) && isAlive(pid))
}

/**
 * Stops a process as it stands: as one whose only thread is busy for ever, it hears no signal but SIGKILL.
 */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP")
  await eventually(() => stateOf(pid) === "T")
}

/** Dead ones that nobody has asked about stay in the list of processes. */
export function isAlive(pid: number): boolean {
  const state = stateOf(pid)
  return state !== undefined && state !== "Z" && state !== "X"
}

export function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

function stateOf(pid: number): string | undefined {
  return /^State:\s+(\w)/m.exec(read(`/proc/${pid}/status`))?.[1]
}

/** Resolves to what it finds once that is something; rejects after a while that no machine needs. */
export async function eventually<Found>(
  find: () => Promise<Found | undefined | false> | Found | undefined | false,
  withinMs = 120_000,
): Promise<Found> {
  const endsAt = performance.now() + withinMs
  for (;;) {
    const found = await find()
    if (found) return found
    if (performance.now() > endsAt) throw new Error(`nothing came of ${find} in ${withinMs} ms`)
    await Bun.sleep(20)
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
