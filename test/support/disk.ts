import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

/** A disk of its own, ext4 in a file. */
export interface Disk extends Disposable {
  /** Where it is mounted. */
  path: string
  /** The file system meets an error and takes no more writes, whoever has files open in it. */
  fail(): void
  /** Unmounts it, repairs it and mounts it again: nobody may have files open in it. */
  mend(): void
}

/** Undefined where this user may not mount one. `folder`: where its file and its mount point are made. */
export function mountDisk(folder: string, megabytes: number): Disk | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined
  const file = join(folder, "disk.img")
  const path = join(folder, "disk")
  const descriptor = openSync(file, "w")
  ftruncateSync(descriptor, megabytes * 1024 * 1024)
  closeSync(descriptor)
  mkdirSync(path)
  const mount = ["mount", "-o", "loop,errors=remount-ro", file, path]
  if (!did(["mkfs.ext4", "-q", file]) || !did(mount)) return undefined
  return {
    path,
    fail() {
      const device = Bun.spawnSync(["findmnt", "-n", "-o", "SOURCE", path]).stdout.toString().trim()
      writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, "1")
    },
    mend() {
      if (!did(["umount", path])) throw new Error("the disk is still in use")
      did(["e2fsck", "-f", "-y", file])
      if (!did(mount)) throw new Error("the disk cannot be mounted again")
    },
    [Symbol.dispose]: () => void did(["umount", "--lazy", path]),
  }
}

function did(command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).exitCode === 0
  } catch {
    return false
  }
}
