import { join } from "node:path"
import { temporaryFolder } from "./service.ts"

/** The program built into one file, in a folder that goes with it. */
export interface Binary extends Disposable {
  path: string
  /** Where it may unpack what it holds. */
  folder: string
}

export async function buildBinary(): Promise<Binary> {
  const folder = temporaryFolder()
  const path = join(folder.path, "guichet")
  const build = Bun.spawn([process.execPath, "src/release/build.ts", "--outfile", path, "--level", "1"], {
    cwd: join(import.meta.dir, "../.."),
    stderr: "inherit",
  })
  if ((await build.exited) !== 0) throw new Error("the program could not be built")
  return { path, folder: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}
