import type { CitedAnswer } from "../answering/ask/citations.ts"
import { withoutLinks } from "../reading/formats/link.ts"

/**
 * The reply with sources whose page opens at what is quoted, and marks it, where no heading has an anchor: a text
 * fragment (https://wicg.github.io/scroll-to-text-fragment/), which browsers that do not know it pass over.
 */
export function withTextFragments<Reply extends CitedAnswer>(reply: Reply): Reply {
  const quotations = new Map<number, string>()
  let [from, quoted] = [0, ""]
  for (const { 0: marker, 1: n, index } of reply.answer.matchAll(/\[\^(\d{1,4})\]/g)) {
    const text = reply.answer.slice(from, index)
    from = index + marker.length
    // Two markers may stand behind one text.
    if (text.trim() !== "") quoted = text
    if (!quotations.has(Number(n))) quotations.set(Number(n), quoted)
  }
  const sources = reply.sources.map((source) => ({
    ...source,
    url: withTextFragment(source.url, quotations.get(source.n) ?? ""),
  }))
  return { ...reply, sources }
}

/** Words at the beginning and at the end of a quotation by which a browser finds it. */
const wordsOfEnd = 8
/** Longest text of either. */
const maxTextLength = 200

function withTextFragment(url: string, markdown: string): string {
  const [first, last] = endsOf(markdown)
  if (!first || !/^https?:/i.test(url) || url.includes("#")) return url
  return `${url}#:~:text=${last ? `${encoded(first)},${encoded(last)}` : encoded(first)}`
}

/** The first and the last words of a text; one that is short is its own first words. */
function endsOf(markdown: string): [first?: string, last?: string] {
  const lines = markdown
    .replace(/(?<![^\n])(```|~~~)[\s\S]*?(?:\n\1|$)/g, "")
    .split("\n")
    .map(asShown)
    .filter((line) => line !== "")
  const [line, end = ""] = [lines[0], lines.at(-1)]
  if (line === undefined) return []
  const words = line.split(/(?<=\s)(?=\S)/)
  if (lines.length === 1 && words.length <= 2 * wordsOfEnd && line.length <= maxTextLength) return [line]
  const first = trimmed(words.slice(0, wordsOfEnd).join(""))
  const last = trimmed(
    end
      .split(/(?<=\s)(?=\S)/)
      .slice(-wordsOfEnd)
      .join(""),
  )
  return first.length <= maxTextLength && last.length <= maxTextLength ? [first, last] : []
}

/** A line as its page shows it; empty for a heading, a row of a table, and a link that leads on. */
function asShown(line: string): string {
  if (/^\s*(?:[|#]|\[[^\]]*\]\([^)]*\)\s*$)/.test(line)) return ""
  const text = withoutLinks(line)
    .replace(/^\s*(?:[-*+>]\s|\d{1,9}[.)]\s)/, "")
    .replace(/\\([!-/:-@[-`{-~])|[*`]|~~/g, "$1")
  return trimmed(text)
}

/** From its first word to its last: pages write the blanks beside other signs in several ways. */
function trimmed(text: string): string {
  const from = text.search(/[\p{L}\p{N}]/u)
  return from === -1 ? "" : text.slice(from).replace(/[^\p{L}\p{N}]{1,20}$/u, "")
}

/** A hyphen, a comma and an ampersand have a meaning of their own there. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("-", "%2D")
}
