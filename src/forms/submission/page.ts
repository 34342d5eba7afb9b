import { originOf } from "../../accounts/origin.ts"
import { maxUrlLength } from "../../base/text.ts"

/**
 * The page a response came from, without query and fragment: the first of the candidates (the page's own word, then the
 * `Referer`) that lies under a declared address, else the declared `origin` the post came from, followed by `/`.
 */
export function pageOf(
  candidates: readonly (string | null | undefined)[],
  origin: string,
  declared: readonly string[],
): string {
  for (const candidate of candidates) {
    const page = candidate ? declaredPage(candidate, declared) : undefined
    if (page) return page
  }
  return `${declared.includes(origin) ? origin : declared[0]}/`
}

/** The address without query and fragment, when it lies under a declared address. */
export function declaredPage(address: string, declared: readonly string[]): string | undefined {
  const [bare = ""] = address.split(/[?#]/, 1)
  const origin = originOf(bare)
  if (!origin || !declared.includes(origin)) return undefined
  const page = origin + new URL(bare).pathname
  return page.length <= maxUrlLength ? page : undefined
}
