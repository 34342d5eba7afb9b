import { Parser } from "htmlparser2"
import { withinParserLimits } from "../../documents/markdown/parser-limits.ts"
import { type AddressList, addressList } from "./address-list.ts"

/** Deeper than any list: what is never closed would make the parser look through all of it at each tag. */
const maxDepth = 200

/**
 * Addresses that the lists of an `llms.txt` (llmstxt.org) link to, as written; none in a text that is
 * documentation itself.
 */
export function linksOf(text: string): AddressList {
  const links = new Set<string>()
  let depth = 0
  let items = 0
  const parser = new Parser({
    onopentag(name, { href }) {
      if (++depth > maxDepth) parser.pause()
      if (name === "li") items++
      if (name === "a" && items > 0 && href) links.add(href)
    },
    onclosetag(name) {
      depth--
      if (name === "li") items--
    },
  })
  parser.end(Bun.markdown.html(withinParserLimits(text)))
  return addressList([...links])
}

/** One page of a text that holds several. */
export interface TextPart {
  text: string
  /** Where the page itself stands, when the text says so. */
  url: string | undefined
}

/**
 * Cuts a full text (`llms-full.txt`) at the pages it was put together from, where it names their addresses
 * as generators do:
 * `Source: <address>` under a heading. A text that does not is one part.
 */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let part = { heading: "", from: 0, url: undefined as string | undefined }
  let fence: string | undefined
  let at = 0
  while (at < text.length) {
    const { line, next } = lineAt(text, at)
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) fence = ticks
    else if (ticks?.startsWith(fence)) fence = undefined
    const source = fence === undefined && /^#{1,6}\s/.test(line) ? sourceBelow(text, next) : undefined
    if (source) {
      end(at)
      part = { heading: `${line}\n`, from: source.next, url: source.url }
    }
    at = source?.next ?? next
  }
  end(text.length)
  return parts

  function end(to: number): void {
    const said = part.heading + text.slice(part.from, to)
    if (said.trim() !== "") parts.push({ text: said, url: part.url })
  }
}

const sourceLine = /^(?:source|url)\s*:\s*<?(https?:\/\/[^\s>]+)>?[ \t]*$/i

/** The address in the first line with text from `at` on, and where the line after it begins. */
function sourceBelow(text: string, at: number): { url: string; next: number } | undefined {
  let below = lineAt(text, at)
  while (below.line.trim() === "" && below.next < text.length) below = lineAt(text, below.next)
  const url = sourceLine.exec(below.line)?.[1]
  return url === undefined ? undefined : { url, next: below.next }
}

/** A line without its end. Fifty megabytes may be as many lines: they are not all made at once. */
function lineAt(text: string, at: number): { line: string; next: number } {
  const found = text.indexOf("\n", at)
  const end = found === -1 ? text.length : found
  return { line: text.slice(at, text[end - 1] === "\r" ? end - 1 : end), next: end + 1 }
}
