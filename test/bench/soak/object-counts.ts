import { existsSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export function objectsPath(pid: number): string {
  return join(tmpdir(), `guichet-objects-${pid}.json`)
}

/** Asks a service that `objects.ts` was loaded into. */
export async function objectsOf(pid: number): Promise<Record<string, number>> {
  const path = objectsPath(pid)
  process.kill(pid, "SIGUSR2")
  for (let tries = 0; tries < 100 && !existsSync(path); tries++) await Bun.sleep(50)
  await Bun.sleep(50)
  const counts = JSON.parse(readFileSync(path, "utf8"))
  rmSync(path)
  return counts
}

/** The ten types whose objects became more by the most. */
export function becameMore(early: Record<string, number> = {}, late: Record<string, number> = {}): string[] {
  return Object.entries(late)
    .map(([type, count]) => ({ type, from: early[type] ?? 0, count }))
    .sort((one, other) => other.count - other.from - (one.count - one.from))
    .slice(0, 10)
    .map(({ type, from, count }) => `objects of type ${type}: ${from} → ${count}`)
}
