import { join } from "node:path"

/**
 * Bundles and minifies a browser script of `src/`. Import it `with { type: "macro" }`: it then runs while the
 * importing file is transpiled or compiled, so the binary holds the text and needs no source.
 */
export function browserScript(path: string): string {
  const built = Bun.spawnSync([
    process.execPath,
    "build",
    join(import.meta.dir, "..", path),
    "--target=browser",
    "--minify",
    "--format=iife",
  ])
  if (!built.success) throw new Error(`${path} does not build: ${built.stderr}`)
  return built.stdout.toString()
}
