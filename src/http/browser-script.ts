import { createHash } from "node:crypto"
import { basename, join } from "node:path"

/**
 * Bundles and minifies a browser script of `src/`. Import it `with { type: "macro" }`: it then runs while the
 * importing file is transpiled or compiled, so the binary holds the text and needs no source. A script that loads
 * others later knows their hashes and their integrity, by the names of their files, as a constant.
 */
export function browserScript(path: string, ...laterPaths: string[]): string {
  const later = laterPaths.map((each) => [basename(each, ".ts"), contentHash(bundled(each))])
  return bundled(path, laterPaths.length === 0 ? {} : { LATER: Object.fromEntries(later) })
}

function contentHash(text: string): [hash: string, integrity: string] {
  const digest = createHash("sha256").update(text).digest()
  return [digest.toString("hex").slice(0, 16), `sha256-${digest.toString("base64")}`]
}

function bundled(path: string, constants: Record<string, unknown> = {}): string {
  const built = Bun.spawnSync([
    process.execPath,
    "build",
    join(import.meta.dir, "..", path),
    "--target=browser",
    "--minify",
    "--format=iife",
    ...Object.entries(constants).map(([name, value]) => `--define=${name}=${JSON.stringify(value)}`),
  ])
  if (!built.success) throw new Error(`${path} does not build: ${built.stderr}`)
  return built.stdout.toString()
}
