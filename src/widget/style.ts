import { readFileSync } from "node:fs"
import { join } from "node:path"
import { withTokens } from "../style/tokens.ts"

/** To be imported `with { type: "macro" }`, so that it runs while the script is built. */
export function squeezedCss(...paths: string[]): string {
  return squeezed(paths.map((path) => readFileSync(join(import.meta.dir, path), "utf8")).join("\n"))
}

/**
 * A style sheet with the palette, without comments, idle white space and idle quotes. Bun's own CSS minifier is not
 * used: it rewrites `color-scheme` and colours for browsers that could not run the script anyway.
 */
export function squeezed(css: string): string {
  return withTokens(css)
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>+/]) ?/g, "$1")
    .replace(/: (?=[^:;{}]*[;}])/g, ":")
    .replace(/(?<=\([a-z-]+:) /g, "")
    .replace(/(?<=[(]) | (?=[)!])|(?<=@media) (?=[(])/g, "")
    .replace(/(?<!\d)0(?=\.\d)/g, "")
    .replace(/="([a-z][\w-]*)"\]/g, "=$1]")
    .replaceAll(";}", "}")
    .trim()
}
