import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A small file system in memory. Disposing of it unmounts it, whoever still uses it. */
export interface MountedMemory extends Disposable {
  /** Makes it read-only, or writable again, under whoever has files open in it. */
  remount(mode: "ro" | "rw"): void
}

/** Undefined where this user may not mount one. */
export function mountMemory(path: string, options: string): MountedMemory | undefined {
  mkdirSync(path, { recursive: true })
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined
  if (Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]).exitCode !== 0) return undefined
  return {
    remount(mode) {
      const { exitCode, stderr } = Bun.spawnSync(["mount", "-o", `remount,${mode}`, path])
      if (exitCode !== 0) throw new Error(stderr.toString())
    },
    [Symbol.dispose]: () => void Bun.spawnSync(["umount", "--lazy", path]),
  }
}

/** Whether tests may mount: to be said where they are skipped. */
export const mayMount = (() => {
  const path = mkdtempSync(join(tmpdir(), "guichet-mount-"))
  try {
    using mounted = mountMemory(path, "size=64k")
    return mounted !== undefined
  } finally {
    rmdirSync(path)
  }
})()
