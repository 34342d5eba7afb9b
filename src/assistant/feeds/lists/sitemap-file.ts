import { decodeText } from "../web/charset.ts"
import { type AddressList, addressList } from "./address-list.ts"

/** What one sitemap lists (sitemaps.org), as written: addresses of pages, or of further sitemaps. */
export type SitemapFile = AddressList & { of: "pages" | "sitemaps" }

/** Reads XML of either kind, or plain text with one address a line. */
export function readSitemapFile(bytes: Uint8Array): SitemapFile | { wrong: string } {
  const start = decodeText(bytes.subarray(0, 1024), "utf-8").replaceAll("\0", "").trimStart()
  if (/^<!doctype\s+html|^<html/i.test(start)) return { wrong: "an HTML page, not a sitemap" }
  return start.startsWith("<") ? readXml(bytes) : readLines(bytes)
}

/**
 * A sitemap lists 50,000 addresses at most (sitemaps.org), each with pictures and translations; tags cost the
 * most to read.
 */
const maxTags = 2_000_000

type Value = Bun.XML.Value

/** Refuses XML that is not well-formed: what was cut off must not pass for a complete list. */
function readXml(bytes: Uint8Array): SitemapFile | { wrong: string } {
  if (tagsIn(bytes) > maxTags) return { wrong: `more than ${maxTags.toLocaleString("en")} tags` }
  let document: Bun.XML.Document
  try {
    document = Bun.XML.parse(bytes)
  } catch (error) {
    return { wrong: (error as Error).message }
  }
  const [name = "", root = ""] = Object.entries(document)[0] ?? []
  switch (localName(name)) {
    case "urlset":
      return { of: "pages", ...addressList(locationsIn(root, "url")) }
    case "sitemapindex":
      return { of: "sitemaps", ...addressList(locationsIn(root, "sitemap")) }
    default:
      return { wrong: `XML of another kind (${name}), not a sitemap` }
  }
}

function tagsIn(bytes: Uint8Array): number {
  const opening = "<".charCodeAt(0)
  let count = 0
  for (let at = bytes.indexOf(opening); at !== -1; at = bytes.indexOf(opening, at + 1)) count++
  return count
}

function locationsIn(root: Value, entry: "url" | "sitemap"): string[] {
  return childrenOf(root, entry)
    .flatMap((element) => childrenOf(element, "loc").slice(0, 1))
    .map((location) => (typeof location === "string" ? location : String(location["#text"] ?? "")).trim())
    .filter((location) => location !== "")
}

/** Children of that name, whatever their namespace prefix. */
function childrenOf(element: Value, name: string): Value[] {
  if (typeof element === "string") return []
  return Object.entries(element).flatMap(([key, value]): Value[] => {
    if (localName(key) !== name) return []
    return Array.isArray(value) ? value : [value]
  })
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1)
}

function readLines(bytes: Uint8Array): SitemapFile | { wrong: string } {
  const pages: string[] = []
  // The first line that is none tells: the rest of what may be anything is not cut up.
  for (const [line] of decodeText(bytes, "utf-8").matchAll(/[^\r\n]+/g)) {
    const address = line.trim()
    if (address === "") continue
    if (!/^https?:\/\//i.test(address)) return { wrong: neither }
    pages.push(address)
  }
  return pages.length > 0 ? { of: "pages", ...addressList(pages) } : { wrong: neither }
}

const neither = "neither XML nor a list of addresses"
