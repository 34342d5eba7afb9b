import { detail, type Told } from "../../../base/errors.ts"
import { decodeText } from "../web/charset.ts"
import { type AddressList, addressList } from "./address-list.ts"

/** The addresses that a sitemap lists (sitemaps.org), as written: of pages, or of further sitemaps. */
export type SitemapFile = AddressList & { of: "pages" | "sitemaps" }

/** Reads XML of either kind, or plain text with one address a line. */
export function readSitemapFile(bytes: Uint8Array): SitemapFile | { wrong: Told } {
  const start = decodeText(bytes.subarray(0, 1024), "utf-8").replaceAll("\0", "").trimStart()
  if (/^<!doctype\s+html|^<html/i.test(start)) return { wrong: detail("reading.htmlNotSitemap") }
  return start.startsWith("<") ? readXml(bytes) : readLines(bytes)
}

/** A sitemap lists 50,000 addresses at most (sitemaps.org), each with pictures and translations. */
const maxTags = 2_000_000

type Value = Bun.XML.Value

/** Refuses XML that is not well-formed: a truncated list must not pass for a complete one. */
function readXml(bytes: Uint8Array): SitemapFile | { wrong: Told } {
  if (tagsIn(bytes) > maxTags) return { wrong: detail("reading.tooManyTags", { most: maxTags }) }
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
      return { wrong: detail("reading.otherXml", { kind: name }) }
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

/** Children with a local name, whatever their namespace prefix. */
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

function readLines(bytes: Uint8Array): SitemapFile | { wrong: Told } {
  const pages: string[] = []
  // Stops at the first line that is no address, because the rest may be anything.
  for (const [line] of decodeText(bytes, "utf-8").matchAll(/[^\r\n]+/g)) {
    const address = line.trim()
    if (address === "") continue
    if (!/^https?:\/\//i.test(address)) return { wrong: neither }
    pages.push(address)
  }
  return pages.length > 0 ? { of: "pages", ...addressList(pages) } : { wrong: neither }
}

const neither = detail("reading.notSitemap")
