import { originOf } from "../../accounts/origin.ts"
import { maxUrlLength } from "../../base/text.ts"

/**
 * The page a response came from, without query and fragment. `candidates` are the page's own `page` value,
 * then the `Referer`: the first one under a declared address wins. Without one, the result is the `origin` of
 * the post followed by `/`, or the first declared origin when `origin` is not declared.
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

/** The address without query and fragment; undefined when it is too long or under no declared origin. */
export function declaredPage(address: string, declared: readonly string[]): string | undefined {
  const [bare = ""] = address.split(/[?#]/, 1)
  const origin = originOf(bare)
  if (!origin || !declared.includes(origin)) return undefined
  const page = origin + new URL(bare).pathname
  return page.length <= maxUrlLength ? page : undefined
}
