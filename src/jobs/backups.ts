import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { isoTime } from "../base/clock.ts"
import type { RunChild } from "../host/child-process.ts"

/** A name that sorts by time: `guichet-20261120T024300Z.db`. */
const ours = /^guichet-\d{8}T\d{6}Z\.db$/
/** What a backup leaves that was killed: a folder, of older versions a file. */
const oursUnfinished = /^guichet-\d{8}T\d{6}Z\.db\.unfinished(-\w{6})?$/

/**
 * Makes a backup in the folder, in a process of its own, and then removes the oldest beyond `keep`: never
 * before the new one is there, and never what it did not make itself. Rejects when the backup could not be
 * made, with the reason of the signal when that cut it off.
 */
export async function backUpInTurn(
  { dir, keep }: { dir: string | undefined; keep: number },
  runChild: RunChild,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (dir === undefined) return
  const name = `guichet-${isoTime(nowMs).slice(0, 19).replaceAll(/[-:]/g, "")}Z.db`
  const { exitCode, lastWords } = await runChild(["backup", join(dir, name)], signal)
  signal.throwIfAborted()
  if (exitCode !== 0) throw new Error(lastWords)
  const entries = readdirSync(dir)
  for (const entry of entries.filter((one) => oursUnfinished.test(one)))
    rmSync(join(dir, entry), { recursive: true, force: true })
  const made = entries.filter((entry) => ours.test(entry))
  for (const entry of made.sort().slice(0, -keep)) rmSync(join(dir, entry), { force: true })
}
