import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type TemporaryFolder, temporaryFolder } from "./service.ts"

/** A folder with these files, by their paths. */
export function folderOf(files: Record<string, string | Uint8Array>): TemporaryFolder {
  const folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), content)
  }
  return folder
}
