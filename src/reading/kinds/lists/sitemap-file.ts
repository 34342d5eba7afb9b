import { Parser, parseDocument } from "htmlparser2"
import { detail, type Explanation } from "../../../base/errors.ts"
import { decodeText } from "../../../outbound/charset.ts"
import { textContent } from "../../formats/html/dom.ts"
import { type AddressList, addressList } from "./address-list.ts"

/** The addresses that a list names, as written: of pages, or of further lists. */
export type SitemapFile = AddressList & { of: "pages" | "sitemaps" }

interface Kind {
  of: SitemapFile["of"]
  entry: string
  /** The element within an entry that names its page. */
  address: string
}

/** The lists that search engines read, by their root: sitemaps (sitemaps.org), RSS 2.0 and 1.0, Atom. */
const kinds = new Map<string, Kind>([
  ["urlset", { of: "pages", entry: "url", address: "loc" }],
  ["sitemapindex", { of: "sitemaps", entry: "sitemap", address: "loc" }],
  ["rss", { of: "pages", entry: "item", address: "link" }],
  ["rdf", { of: "pages", entry: "item", address: "link" }],
  ["feed", { of: "pages", entry: "entry", address: "link" }],
])

/** Servers put warnings, comments and empty lines before a list. */
const listStart = /<\?xml\s|<(?:[\w-]+:)?(?:urlset|sitemapindex|rss|rdf|feed)[\s>/]/i
const maxCharactersBefore = 65_536

/** Reads XML of any of the kinds, or plain text with one address a line. */
export function readSitemapFile(bytes: Uint8Array): SitemapFile | { wrong: Explanation } {
  const text = decodeText(bytes, "", { xml: true }).replace(/^\ufeff+/, "")
  const start = text.slice(0, maxCharactersBefore)
  const from = start.search(listStart)
  if (from !== -1) return readXml(text, from)
  if (/^\s*(?:<!doctype\s+html|<html)/i.test(start)) return { wrong: detail("reading.htmlNotSitemap") }
  return start.trimStart().startsWith("<") ? readXml(text, 0) : readLines(text)
}

/** A sitemap lists 50,000 addresses at most (sitemaps.org), each with pictures and translations. */
const maxTags = 2_000_000
/** Deeper than any list. The parser searches all open elements at each closing tag. */
const maxDepth = 200

/**
 * Reads XML as leniently as search engines do, but a list that is cut off before its root ends must not pass for a
 * complete one.
 */
function readXml(text: string, from: number): SitemapFile | { wrong: Explanation } {
  const open: string[] = []
  const addresses: string[] = []
  let kind: Kind | undefined
  let entry = { address: "", link: "", guid: "" }
  /** Of RSS 2.0: a `guid` is the address of the page unless it says that it is none, and may stand without `link`. */
  let isPermanent = false
  let tags = 0
  let lineOfEmptyEntry: number | undefined
  let wrong: Explanation | undefined

  const isIn = (name: string | undefined) => open.at(-1) === name && open.at(-2) === kind?.entry
  const isAddress = () => isIn(kind?.address)
  const lineHere = () => text.slice(0, from + parser.startIndex).split("\n").length
  const fail = (why: Explanation) => {
    wrong = why
    parser.pause()
  }
  const parser = new Parser(
    {
      onopentag(tag, { rel = "alternate", href = "", isPermaLink = "true" }) {
        const name = localName(tag)
        if (open.length === 0) {
          kind = kinds.get(name)
          if (!kind) fail(detail("reading.otherXml", { kind: tag, line: lineHere() }))
        }
        if (open.push(name) > maxDepth) fail(detail("reading.nestedTooDeep"))
        if (++tags > maxTags) fail(detail("reading.tooManyTags", { most: maxTags }))
        if (name === kind?.entry) entry = { address: "", link: "", guid: "" }
        if (name === "guid") isPermanent = isPermaLink === "true"
        if (isAddress() && rel === "alternate") entry.link ||= href
      },
      ontext(characters) {
        if (isAddress()) entry.address += characters
        if (isPermanent && isIn("guid")) entry.guid += characters
      },
      onclosetag() {
        // The first address of an entry counts: blanks end it, and separate it from a second one.
        if (isAddress()) entry.address += " "
        const name = open.pop() ?? ""
        if (name !== kind?.entry || open.includes(name)) return
        // Many a `guid` is only a name, without saying so.
        const guid = /^\s*https?:/i.test(entry.guid) ? entry.guid : ""
        const [address = entry.link || guid] = entry.address.trim().split(/\s+/, 1).filter(Boolean)
        if (address.trim() !== "") addresses.push(withoutEntities(address.trim()))
        else lineOfEmptyEntry ??= lineHere()
      },
    },
    { xmlMode: true, decodeEntities: false },
  )
  parser.write(text.slice(from))
  const isCutOff = open.length > 0
  parser.end()

  if (wrong !== undefined) return { wrong }
  if (!kind || isCutOff) return { wrong: detail("reading.listCutOff", { line: text.split("\n").length }) }
  if (addresses.length === 0 && lineOfEmptyEntry !== undefined)
    return {
      wrong: detail("reading.entryWithoutAddress", { line: lineOfEmptyEntry, element: kind.address }),
    }
  return { of: kind.of, ...addressList(addresses) }
}

/** `ns:Loc` → `loc`: prefixes are free, and real lists are not strict about capitals. */
function localName(tag: string): string {
  return tag.slice(tag.indexOf(":") + 1).toLowerCase()
}

/** Names of HTML count as well. An `&` that begins no entity, as in `?a=1&b=2`, stays. */
function withoutEntities(address: string): string {
  return address.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, (entity) =>
    textContent(parseDocument(entity).children),
  )
}

/** Stops at the first line that is no address, because the rest may be anything. */
function readLines(text: string): SitemapFile | { wrong: Explanation } {
  const pages: string[] = []
  let line = 0
  for (const written of text.split(/\r\n?|\n/)) {
    line++
    const address = written.trim()
    if (address === "") continue
    if (!/^https?:\/\//i.test(address)) return { wrong: detail("reading.notSitemap", { line }) }
    pages.push(address)
  }
  return pages.length > 0
    ? { of: "pages", ...addressList(pages) }
    : { wrong: detail("reading.notSitemap", { line: 1 }) }
}
