import { Parser } from "htmlparser2"
import { withinParserLimits } from "../../documents/parser-limits.ts"
import { type AddressList, addressList } from "./address-list.ts"

/** Deeper than any list: what is never closed would make the parser look through all of it at each tag. */
const maxDepth = 200

/** Addresses that the lists of an `llms.txt` (llmstxt.org) link to, as written; none in a text that is documentation itself. */
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
 * Cuts a full text (`llms-full.txt`) at the pages it was put together from, where it names their addresses as generators do:
 * `Source: <address>` under a heading. A text that does not is one part.
 */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [{ text: "", url: undefined }]
  const lines = text.split(/\r?\n/)
  let fence: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) fence = ticks
    else if (ticks?.startsWith(fence)) fence = undefined
    const source = fence === undefined && /^#{1,6}\s/.test(line) ? sourceBelow(lines, at) : undefined
    if (source) parts.push({ text: "", url: source.url })
    const part = parts.at(-1) as TextPart
    part.text += `${line}\n`
    if (source) at = source.at
  }
  return parts.filter((part) => part.text.trim() !== "")
}

const sourceLine = /^(?:source|url)\s*:\s*<?(https?:\/\/[^\s>]+)>?[ \t]*$/i

/** The address in the first line with text below a heading, and where that line is. */
function sourceBelow(lines: string[], heading: number): { url: string; at: number } | undefined {
  let at = heading + 1
  while (lines[at]?.trim() === "") at++
  const url = sourceLine.exec(lines[at] ?? "")?.[1]
  return url === undefined ? undefined : { url, at }
}
