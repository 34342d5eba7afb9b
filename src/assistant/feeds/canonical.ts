import { Parser } from "htmlparser2"

/** The address that an HTML page gives as its own, as written, with entities decoded. */
export function canonicalOf(html: string): string | undefined {
  let found: string | undefined
  const parser = new Parser({
    onopentag(name, { rel, href }) {
      if (name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(rel ?? "")) found ??= href
    },
  })
  // A link in the body is the work of whoever wrote there.
  const body = html.search(/<body[\s>]/i)
  parser.end(body === -1 ? html : html.slice(0, body))
  return found
}
