import { readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * A style of the widget without comments and idle white space. Import it `with { type: "macro" }`, so that it
 * runs while the script is built. Bun's own CSS minifier is not used: it rewrites `color-scheme` and colours
 * for browsers that could not run the script anyway.
 */
export function squeezedCss(path: string): string {
  return readFileSync(join(import.meta.dir, path), "utf8")
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1")
    .replace(/: (?=[^:;{}]*[;}])/g, ":")
    .replace(/(?<!\d)0(?=\.\d)/g, "")
    .replaceAll(";}", "}")
    .trim()
}
