import { Parser } from "htmlparser2"
import { crawlLimits } from "../crawl/visits.ts"
import { pageUrl } from "./page-path.ts"

/** Most documents that one page and all pages of a feed may link to. */
export const documentLimits = { ofPage: 100, ofFeed: 500 }

/** Deeper than any page. At each closing tag the parser looks through all elements still open. */
const maxDepth = 500

/**
 * The addresses of PDF and office documents that an HTML page links to, where it does not ask robots to stay away: one
 * more than may be read of one page, which tells that there are more.
 */
export function documentLinks(html: string, address: string): string[] {
  return collectLinks(html, address, isDocumentUrl, documentLimits.ofPage + 1)
}

/** The addresses that an HTML page lets robots follow, within limits; `excess`: the first one beyond. */
export function pageLinks(html: string, address: string): { links: string[]; excess?: string } {
  let characters = 0
  const isWanted = ({ protocol, href }: URL) => /^https?:$/.test(protocol) && href !== address
  const all = collectLinks(html, address, isWanted, crawlLimits.links + 1)
  const end = all.findIndex((link, at) => {
    characters += link.length
    return characters > crawlLimits.linkCharacters || at >= crawlLimits.links
  })
  return end === -1 ? { links: all } : { links: all.slice(0, end), excess: all[end] as string }
}

function collectLinks(
  html: string,
  address: string,
  isWanted: (url: URL) => boolean,
  most: number,
): string[] {
  const urls = new Set<string>()
  let base = address
  let depth = 0
  let isClosed = false
  const parser = new Parser({
    onopentag(name, { href, rel, name: meta = "", content = "" }) {
      if (++depth > maxDepth || urls.size >= most) parser.pause()
      isClosed ||=
        name === "meta" && /^(?:robots|guichet)$/i.test(meta) && /\b(?:nofollow|none)\b/i.test(content)
      if (href === undefined) return
      if (name === "base") base = pageUrl(href, address)?.href ?? base
      const url =
        (name === "a" || name === "area") && !/\bnofollow\b/i.test(rel ?? "")
          ? pageUrl(href, base)
          : undefined
      if (url && urls.size < most && isWanted(url)) urls.add(url.href)
    },
    onclosetag() {
      depth--
    },
  })
  parser.end(html)
  return isClosed ? [] : [...urls]
}

export function isDocumentUrl({ protocol, pathname }: URL): boolean {
  return /^https?:$/.test(protocol) && /\.(?:pdf|docx|odt)$/i.test(pathname)
}
