import { Parser } from "htmlparser2"
import { pageUrl } from "./page-path.ts"

/**
 * Deeper than any head of a page: elements that are never closed would each make the parser look through all
 * of them.
 */
const maxDepth = 100

/**
 * The address that an HTML page found at this one gives as its own, entities decoded, relative to its
 * `<base>`.
 */
export function canonicalOf(html: string, found: URL): string | undefined {
  let canonical: string | undefined
  let base: string | undefined
  let depth = 0
  const parser = new Parser({
    onopentag(name, { rel, href }) {
      if (++depth > maxDepth) parser.pause()
      if (name === "base") base ??= href
      if (name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(rel ?? "")) canonical ??= href
    },
    onclosetag() {
      depth--
    },
  })
  // A link in the body is the work of whoever wrote there.
  const body = html.search(/<body[\s>]/i)
  parser.end(body === -1 ? html : html.slice(0, body))
  if (canonical === undefined) return undefined
  const start = (base !== undefined && pageUrl(base, found.href)) || found
  return pageUrl(canonical, start.href)?.href
}
