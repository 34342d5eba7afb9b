import { createHash } from "node:crypto"
import { join } from "node:path"

/**
 * Bundles and minifies a browser script of `src/`. Import it `with { type: "macro" }`: it then runs while the
 * importing file is transpiled or compiled, so the binary holds the text and needs no source. A script that loads
 * another one later knows the hash and the integrity of it as constants.
 */
export function browserScript(path: string, laterPath?: string): string {
  return laterPath === undefined ? bundled(path, {}) : bundled(path, constantsOf(bundled(laterPath, {})))
}

function constantsOf(later: string): Record<string, string> {
  const digest = createHash("sha256").update(later).digest()
  return {
    LATER_HASH: digest.toString("hex").slice(0, 16),
    LATER_INTEGRITY: `sha256-${digest.toString("base64")}`,
  }
}

function bundled(path: string, constants: Record<string, string>): string {
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
