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
  /** The address of the page as written, when the text names it. */
  url: string | undefined
}

interface PartStart {
  heading: string
  /** Where the page goes on behind what names it. */
  from: number
  url: string | undefined
}

/**
 * Splits a full text (`llms-full.txt`) into its pages, which generators name by a line `Source: <address>` or
 * `URL: <address>` under the heading (Mintlify), behind the heading (Fumadocs), or as `url` of attributes before the
 * page (vitepress-plugin-llms). A text that names none is one part.
 */
export function readParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  // Other headings end in `(/path)` as well: the call that they document.
  const isNamedByHeadings = addressInHeading.test(textLineFrom(text, 0).line)
  let part: PartStart = { heading: "", from: 0, url: undefined }
  let fence: string | undefined
  let at = 0
  while (at < text.length) {
    const { line, next } = lineAt(text, at)
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) fence = ticks
    else if (ticks?.startsWith(fence)) fence = undefined
    const start = fence === undefined ? partStart(text, at, isNamedByHeadings) : undefined
    if (start) {
      end(at)
      part = start
    }
    at = start?.from ?? next
  }
  end(text.length)
  return parts

  function end(to: number): void {
    const content = part.heading + text.slice(part.from, to)
    if (content.trim() !== "") parts.push({ text: content, url: part.url })
  }
}

const sourceLine = /^(?:source|url)\s*:\s*<?((?:https?:\/)?\/[^\s>]+)>?[ \t]*$/i
const addressInHeading = /^# (.*\S) \(((?:https?:\/)?\/[^\s()]*)\)$/

/** The page that begins in the line at `at`. */
function partStart(text: string, at: number, isNamedByHeadings: boolean): PartStart | undefined {
  const { line, next } = lineAt(text, at)
  if (line === "---") return attributesBelow(text, at)
  if (!/^#{1,6}\s/.test(line)) return undefined
  const [, title, address] = (isNamedByHeadings && addressInHeading.exec(line)) || []
  if (address !== undefined) return { heading: `# ${title}\n`, from: next, url: address }
  const { line: below, next: from } = textLineFrom(text, next)
  const url = sourceLine.exec(below)?.[1]
  return url === undefined ? undefined : { heading: `${line}\n`, from, url }
}

const maxAttributes = 50

/** The attributes from `at` on that name an address, which stay with the page: they may hold its title. */
function attributesBelow(text: string, at: number): PartStart | undefined {
  let url: string | undefined
  let { next } = lineAt(text, at)
  for (let count = 0; count < maxAttributes && next < text.length; count++) {
    const { line, next: after } = lineAt(text, next)
    if (line === "---")
      return url === undefined ? undefined : { heading: text.slice(at, after), from: after, url }
    if (!/^(?:[\w-]+:|[ \t-]+\S)/.test(line)) return undefined
    url ??= /^url:\s*["']?((?:https?:\/)?\/[^\s"']*)/.exec(line)?.[1]
    next = after
  }
  return undefined
}

/** The first line with text from `at` on, and the start of the line after it. */
function textLineFrom(text: string, at: number): { line: string; next: number } {
  let found = lineAt(text, at)
  while (found.line.trim() === "" && found.next < text.length) found = lineAt(text, found.next)
  return found
}

/** One line without its line break. Lines are read one by one, because 50 MB may be as many lines. */
function lineAt(text: string, at: number): { line: string; next: number } {
  const lineEnd = text.indexOf("\n", at)
  const end = lineEnd === -1 ? text.length : lineEnd
  return { line: text.slice(at, text[end - 1] === "\r" ? end - 1 : end), next: end + 1 }
}
