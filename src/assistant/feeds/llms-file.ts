import { DomUtils } from "htmlparser2"
import { parseTree } from "../documents/tree.ts"
import { type AddressList, addressList } from "./address-list.ts"

/** Addresses that the lists of an `llms.txt` (llmstxt.org) link to, as written; none in a text that is documentation itself. */
export function linksOf(text: string): AddressList {
  const nodes = parseTree(Bun.markdown.html(text), { selfClosing: false }) ?? []
  const items = DomUtils.getElementsByTagName("li", nodes)
  const links = items.flatMap((item) => DomUtils.getElementsByTagName("a", item.children))
  return addressList([...new Set(links.flatMap(({ attribs }) => attribs["href"] || []))])
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
