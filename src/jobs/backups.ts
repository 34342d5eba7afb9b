import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { hourMs, isoTime } from "../base/clock.ts"
import { removeWithChecksums } from "../db/sqlite/checksum.ts"
import { removeUnfinished } from "../db/sqlite/durable-file.ts"
import type { RunChild } from "../host/child-process.ts"

/** Name of a scheduled backup, which sorts by time: `guichet-20261120T024300Z.db`. */
const backupName = /^guichet-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

interface BackupFolder {
  dir: string | undefined
  keep: number
}

/** One is made every night: an older one means that a night was missed, also where the clocks were changed. */
export const lateAfterMs = 28 * hourMs

/**
 * Makes a backup in the folder, in a child process. Once it is complete, removes the oldest beyond `keep`,
 * and no file that was made otherwise. Rejects when the backup could not be made; after an abort, with the
 * signal's reason.
 */
export async function makeScheduledBackup(
  { dir, keep }: BackupFolder,
  runChild: RunChild,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (dir === undefined) return
  const name = `guichet-${isoTime(nowMs).slice(0, 19).replaceAll(/[-:]/g, "")}Z.db`
  await runToEnd(["backup", join(dir, name)], runChild, signal)
  removeUnfinishedBackups({ dir })
  for (const { file } of scheduledBackups(dir).slice(0, -keep)) removeWithChecksums(file)
}

/** Removes what a backup, or the trial of one, has left that was killed. */
export function removeUnfinishedBackups({ dir }: Pick<BackupFolder, "dir">): void {
  const isFolder = dir !== undefined && statSync(dir, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder) removeUnfinished(dir, /^guichet-\d{8}T\d{6}Z\.db(?:\.sha256)?$/)
}

/** A problem with the backups that their owner has to know of. */
export interface BackupTrouble {
  /** No backup was made last night; or the newest cannot be restored. */
  kind: "late" | "unusable"
  folder: string
  newestAtMs: number | undefined
}

/** The trouble where a night was missed. An installation has until `lateAfterMs` to make its first backup. */
export function missedBackup(
  { dir }: Pick<BackupFolder, "dir">,
  installedAtMs: number,
  nowMs: number,
): BackupTrouble | undefined {
  if (dir === undefined) return undefined
  const newest = newestBackup(dir)
  const isLate = nowMs - (newest?.atMs ?? installedAtMs) > lateAfterMs
  return isLate ? { kind: "late", folder: dir, newestAtMs: newest?.atMs } : undefined
}

/**
 * Restores the newest backup into a temporary folder beside it, in a child process. When it
 * cannot be restored, calls `onTrouble` and rejects. Resolves to its file, to undefined without a backup.
 */
export async function tryNewestBackup(
  { dir }: Pick<BackupFolder, "dir">,
  runChild: RunChild,
  signal: AbortSignal,
  onTrouble: (trouble: BackupTrouble) => Promise<void>,
): Promise<string | undefined> {
  const newest = dir === undefined ? undefined : newestBackup(dir)
  if (dir === undefined || newest === undefined) return undefined
  try {
    await runToEnd(["restore", newest.file, "--trial"], runChild, signal)
  } catch (error) {
    if (!signal.aborted) await onTrouble({ kind: "unusable", folder: dir, newestAtMs: newest.atMs })
    throw error
  }
  return newest.file
}

async function runToEnd(argv: string[], runChild: RunChild, signal: AbortSignal): Promise<void> {
  const { exitCode, stderrTail } = await runChild(argv, signal)
  signal.throwIfAborted()
  if (exitCode !== 0) throw new Error(stderrTail)
}

interface Backup {
  file: string
  atMs: number
}

/** The newest scheduled backup of a folder, by its name. */
export function newestBackup(dir: string): (Backup & { bytes: number }) | undefined {
  const newest = scheduledBackups(dir).at(-1)
  const size = newest && statSync(newest.file, { throwIfNoEntry: false })?.size
  return size === undefined ? undefined : { ...(newest as Backup), bytes: size }
}

/** The oldest first. A folder that cannot be read holds none. */
function scheduledBackups(dir: string): Backup[] {
  let entries: string[]
  try {
    entries = readdirSync(dir)
  } catch {
    return []
  }
  return entries.sort().flatMap((entry) => {
    const [, year, month, day, hour, minute, second] = backupName.exec(entry) ?? []
    const atMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(atMs) ? [] : [{ file: join(dir, entry), atMs }]
  })
}
