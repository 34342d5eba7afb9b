import { readFileSync } from "node:fs"
import { join } from "node:path"
import { squeezed } from "../style/squeezed.ts"
import { withTokens } from "../style/tokens.ts"

/**
 * Styles of the widget, one after another. Import it `with { type: "macro" }`, so that it runs while the script is
 * built.
 */
export function squeezedCss(...paths: string[]): string {
  const css = paths.map((path) => readFileSync(join(import.meta.dir, path), "utf8")).join("\n")
  return squeezed(withTokens(css))
}
