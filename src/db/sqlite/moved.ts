import { readFileSync, rmSync } from "node:fs"
import { isoTime } from "../../base/clock.ts"
import { UsageError } from "../../base/errors.ts"
import { databasePath } from "./connection.ts"
import { appendDurably } from "./durable-file.ts"

/** Stands beside a database that `guichet move` has copied elsewhere, and holds the time. */
function markPath(dataDir: string): string {
  return `${databasePath(dataDir)}.moved`
}

export function markMoved(dataDir: string, nowMs: number): void {
  forgetMoved(dataDir)
  appendDurably(markPath(dataDir), `${isoTime(nowMs)}\n`)
}

export function forgetMoved(dataDir: string): void {
  rmSync(markPath(dataDir), { force: true })
}

/** Throws UsageError for a database that was moved elsewhere: it lacks what came in there since. */
export function refuseMoved(dataDir: string): void {
  const mark = markPath(dataDir)
  const time = readMark(mark)
  if (time !== undefined)
    throw new UsageError(
      `${databasePath(dataDir)} was moved to PostgreSQL at ${time} and lacks what came in since: set GUICHET_DATABASE_URL again; to go on with it all the same, remove ${mark} (or guichet serve --force)`,
    )
}

function readMark(mark: string): string | undefined {
  try {
    return readFileSync(mark, "utf8").trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
