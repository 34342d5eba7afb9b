import { createHash } from "node:crypto"
import { join } from "node:path"

/**
 * Bundles and minifies a browser script of `src/`. Import it `with { type: "macro" }`: it then runs while the
 * importing file is transpiled or compiled, so the binary holds the text and needs no source. A script that loads the
 * one of the widget's contact form knows its hash and its integrity as constants.
 */
export function browserScript(path: string, contactPath?: string): string {
  return contactPath === undefined ? bundled(path, {}) : bundled(path, constantsOf(bundled(contactPath, {})))
}

function constantsOf(contact: string): Record<string, string> {
  const digest = (algorithm: string) => createHash(algorithm).update(contact)
  return {
    CONTACT_HASH: digest("sha256").digest("hex").slice(0, 16),
    CONTACT_INTEGRITY: `sha384-${digest("sha384").digest("base64")}`,
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
