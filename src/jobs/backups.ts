import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { isoTime } from "../base/clock.ts"
import type { RunChild } from "../host/child-process.ts"

/** Name of a scheduled backup, which sorts by time: `guichet-20261120T024300Z.db`. */
const backupName = /^guichet-\d{8}T\d{6}Z\.db$/
/** Remains of a backup that was killed: a folder, or a file of older versions. */
const unfinishedName = /^guichet-\d{8}T\d{6}Z\.db\.unfinished(-\w{6})?$/

/**
 * Makes a backup in the folder, in a child process. Once it is complete, removes the oldest beyond `keep`,
 * and no file that was made otherwise. Rejects when the backup could not be made; after an abort, with the
 * signal's reason.
 */
export async function makeScheduledBackup(
  { dir, keep }: { dir: string | undefined; keep: number },
  runChild: RunChild,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (dir === undefined) return
  const name = `guichet-${isoTime(nowMs).slice(0, 19).replaceAll(/[-:]/g, "")}Z.db`
  const { exitCode, stderrTail } = await runChild(["backup", join(dir, name)], signal)
  signal.throwIfAborted()
  if (exitCode !== 0) throw new Error(stderrTail)
  const entries = readdirSync(dir)
  for (const entry of entries.filter((one) => unfinishedName.test(one)))
    rmSync(join(dir, entry), { recursive: true, force: true })
  const backups = entries.filter((entry) => backupName.test(entry))
  for (const entry of backups.sort().slice(0, -keep)) rmSync(join(dir, entry), { force: true })
}
