import { rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { shared } from "./shared.ts"

const project = resolve(import.meta.dir, "../..")
/** Within the project, where the packages that stay outside the bundle are found as from the sources. */
const cache = join(project, "node_modules/.cache/guichet-test")

let bundled: Promise<string> | undefined

/** The program as one file: that of `test/run.ts`, which all its workers share, else one of this process. */
export function program(): Promise<string> {
  const built = process.env["GUICHET_TEST_PROGRAM"]
  bundled ??= built ? Promise.resolve(built) : bundle(ownFolder())
  return bundled
}

function ownFolder(): string {
  const folder = join(cache, String(process.pid))
  shared(() => ({ [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }))
  return folder
}

/**
 * Joins the sources into one file and resolves to its path: reading and compiling a thousand files takes most
 * of the time of a short command, and the tests run hundreds.
 */
export async function bundle(outdir: string): Promise<string> {
  await Bun.build({
    entrypoints: [join(project, "src/main.ts")],
    outdir,
    naming: "main.ts",
    target: "bun",
    // Compiled beforehand too, which Bun does for this format alone.
    format: "cjs",
    // Only modules have it; a package asks it for one that nobody installed.
    define: { "import.meta.resolve": "require.resolve" },
    bytecode: true,
    external: [
      "@lancedb/*",
      // Asks for its own address, which this format does not have.
      "unpdf",
    ],
  })
  return join(outdir, "main.ts")
}
