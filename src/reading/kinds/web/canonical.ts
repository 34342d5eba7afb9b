import { Parser } from "htmlparser2"
import { pageUrl } from "./page-path.ts"

/** Deeper than the head of any page. At each closing tag the parser looks through all elements still open. */
const maxDepth = 100

/**
 * The canonical address that an HTML page gives itself, absolute. `found` is where the page was read; a
 * `<base>` of the page is heeded.
 */
export function declaredCanonical(html: string, found: URL): string | undefined {
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
  // Anybody may have written a link in the body.
  const body = html.search(/<body[\s>]/i)
  parser.end(body === -1 ? html : html.slice(0, body))
  if (canonical === undefined) return undefined
  const start = (base !== undefined && pageUrl(base, found.href)) || found
  return pageUrl(canonical, start.href)?.href
}
