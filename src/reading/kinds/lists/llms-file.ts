import { Parser } from "htmlparser2"
import { withinParserLimits } from "../../formats/markdown/parser-limits.ts"
import { type AddressList, addressList } from "./address-list.ts"

/** Deeper than any list. The parser searches all open elements at each closing tag. */
const maxDepth = 200

/**
 * The addresses that the lists of an `llms.txt` (llmstxt.org) link to, as written. A text that is
 * documentation itself has none.
 */
export function readLinks(text: string): AddressList {
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
  /** The address of the page, when the text names it. */
  url: string | undefined
}

/**
 * Splits a full text (`llms-full.txt`) into its pages. Generators write `Source: <address>` under the heading
 * of each page. A text without such lines is one part.
 */
export function readParts(text: string): TextPart[] {
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
    const content = part.heading + text.slice(part.from, to)
    if (content.trim() !== "") parts.push({ text: content, url: part.url })
  }
}

const sourceLine = /^(?:source|url)\s*:\s*<?(https?:\/\/[^\s>]+)>?[ \t]*$/i

/** The address in the first line with text from `at` on, and the start of the line after it. */
function sourceBelow(text: string, at: number): { url: string; next: number } | undefined {
  let below = lineAt(text, at)
  while (below.line.trim() === "" && below.next < text.length) below = lineAt(text, below.next)
  const url = sourceLine.exec(below.line)?.[1]
  return url === undefined ? undefined : { url, next: below.next }
}

/** One line without its line break. Lines are read one by one, because 50 MB may be as many lines. */
function lineAt(text: string, at: number): { line: string; next: number } {
  const lineEnd = text.indexOf("\n", at)
  const end = lineEnd === -1 ? text.length : lineEnd
  return { line: text.slice(at, text[end - 1] === "\r" ? end - 1 : end), next: end + 1 }
}
