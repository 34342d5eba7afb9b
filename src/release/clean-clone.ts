import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const project = join(import.meta.dir, "../..")
/** All that the program is built from, except its packages. */
export const sourcesOfTheProgram = [
  "src",
  "data/demo",
  "data/model",
  "data/operate",
  "package.json",
  "bun.lock",
  "bunfig.toml",
]

/**
 * Copies the sources to a temporary folder. Packages of another architecture are installed there, so the
 * node_modules of this clone stay as they are, and the binary holds only what the lock file names.
 */
export function cleanClone(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "guichet-release-"))
  for (const part of sourcesOfTheProgram) cpSync(join(project, part), join(path, part), { recursive: true })
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
