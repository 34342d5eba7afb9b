import { readFileSync } from "node:fs"
import { join } from "node:path"
import { withTokens } from "../style/tokens.ts"

/**
 * Styles of the widget, one after another, without comments, idle white space and idle quotes. Import it
 * `with { type: "macro" }`, so that it runs while the script is built. Bun's own CSS minifier is not used: it
 * rewrites `color-scheme` and colours for browsers that could not run the script anyway.
 */
export function squeezedCss(...paths: string[]): string {
  const css = paths.map((path) => readFileSync(join(import.meta.dir, path), "utf8")).join("\n")
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
