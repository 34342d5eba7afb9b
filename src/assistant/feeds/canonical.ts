import { Parser } from "htmlparser2"

/** The address that an HTML page found at this one gives as its own, entities decoded, relative to its `<base>`. */
export function canonicalOf(html: string, found: URL): string | undefined {
  let canonical: string | undefined
  let base: string | undefined
  const parser = new Parser({
    onopentag(name, { rel, href }) {
      if (name === "base") base ??= href
      if (name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(rel ?? "")) canonical ??= href
    },
  })
  // A link in the body is the work of whoever wrote there.
  const body = html.search(/<body[\s>]/i)
  parser.end(body === -1 ? html : html.slice(0, body))
  if (canonical === undefined) return undefined
  return URL.parse(canonical.trim(), URL.parse(base?.trim() ?? "", found) ?? found)?.href
}
