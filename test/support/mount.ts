import { mkdirSync } from "node:fs"

/** A small file system in memory. Undefined where this user may not mount one. */
export function mountMemory(path: string, options: string): Disposable | undefined {
  mkdirSync(path, { recursive: true })
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined
  if (Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]).exitCode !== 0) return undefined
  return { [Symbol.dispose]: () => void Bun.spawnSync(["umount", "--lazy", path]) }
}

/** Whether tests may mount: to be said where they are skipped. */
export const mayMount = (() => {
  const path = `/tmp/guichet-mount-${process.pid}`
  using mounted = mountMemory(path, "size=64k")
  return mounted !== undefined
})()
