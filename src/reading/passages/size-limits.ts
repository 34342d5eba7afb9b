import type { Document, Passage } from "../formats/document.ts"
import { withoutLinks } from "../formats/link.ts"
import { pageLimits } from "../formats/page-limits.ts"

/**
 * Longest text of a passage, in UTF-16 code units like all lengths here. Each question reads ten passages, so its
 * cost grows with this limit. The longest code block of the documentations that were looked at has 8,700.
 */
export const maxPassageCharacters = 10_000
/**
 * Longest sentence, list item or table row, also the longest quotation. Whole passages of the same documentations
 * have up to 3,500.
 */
export const maxPieceCharacters = 4_000

const { headingCharacters: maxHeadingCharacters, urlCharacters: maxUrlCharacters } = pageLimits

/**
 * The document with its title and headings cut, because every passage repeats them. The uncut ones are added
 * to the text, so that a search finds all their words.
 */
export function withShortHeadings(document: Document): Document {
  const { title } = document
  const sections = document.sections.map(({ headings, anchor, markdown, places }, at) => {
    const cut = [at === 0 ? title : "", headings.at(-1) ?? ""].filter(isTooLong)
    const before = cut.map((text) => `${text}\n\n`).join("")
    return {
      headings: headings.map(shortHeading),
      anchor,
      markdown: cut.length > 0 ? (before + markdown).trimEnd() : markdown,
      ...(places && { places: places.map((place) => ({ ...place, from: place.from + before.length })) }),
    }
  })
  return { ...document, title: shortHeading(title), sections }
}

/** The address, without its anchor if it is too long with it. */
export function shortUrl(url: string): string {
  return url.length > maxUrlCharacters ? (url.split("#")[0] as string) : url
}

/** Cuts a passage that comes from an index built before these limits; the next build replaces it. */
export function truncatePassage(passage: Passage): Passage {
  const { title, headings, markdown, url, sections } = passage
  const isSmall = markdown.length <= maxPassageCharacters && ![title, ...headings].some(isTooLong)
  if (isSmall && url.length <= maxUrlCharacters) return passage
  return {
    ...passage,
    title: shortHeading(title),
    headings: headings.map(shortHeading),
    markdown: truncate(markdown, maxPassageCharacters),
    url: shortUrl(url),
    ...(sections && { sections: sections.filter(({ from }) => from < maxPassageCharacters) }),
  }
}

/**
 * Splits a block that is too large. Code is cut between its lines, and each part gets a fence of its own.
 * Text is cut after a line, a sentence or a word, else between two characters, and loses its links. Their
 * addresses do not make a text too large for a quotation.
 */
export function splitLargeBlock(block: string): string[] {
  const [opening = "", ...lines] = block.split("\n")
  const fence = /^ *`{3,}/.exec(opening)?.[0]
  const closing = lines.pop()?.trim() ?? ""
  if (!fence || closing !== fence.trim() || opening.length > maxHeadingCharacters) {
    const text = withoutLinks(block)
    return text.length <= maxPieceCharacters && block.length <= maxPassageCharacters
      ? [block]
      : cut(text, maxPieceCharacters).map((part) => part.trim())
  }
  if (block.length <= maxPassageCharacters) return [block]
  return cut(lines.join("\n"), maxPassageCharacters - opening.length - closing.length - 2).map(
    (code) => `${opening}\n${code.replace(/\n$/, "")}\n${closing}`,
  )
}

/** The text in parts of at most `max` characters, without the blank parts. */
function cut(text: string, max: number): string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const next = text.slice(at, at + max)
    const part = at + next.length < text.length ? next.slice(0, cutPosition(next)) : next
    if (part.trim() !== "") parts.push(part)
    at += part.length
  }
  return parts
}

/** The best position to cut a text, in its second half. */
function cutPosition(text: string): number {
  const half = text.length / 2
  const after = (...ends: string[]) => Math.max(...ends.map((end) => text.lastIndexOf(end) + end.length))
  const line = after("\n")
  if (line > half) return line
  const sentence = after(". ", "! ", "? ", "… ")
  if (sentence > half) return sentence
  const word = after(" ", "\t", "\u00a0", ",", ";")
  if (word > half) return word
  const whole = truncate(text, text.length)
  const letters = lastWord.exec(whole.slice(-maxWordCharacters))?.[0].length ?? 0
  return whole.length - letters
}

/** A longer word cannot be found (`text/analyse.ts`), so it may be cut. */
const maxWordCharacters = 64
const lastWord = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]+$/u

function isTooLong(heading: string): boolean {
  return heading.length > maxHeadingCharacters
}

function shortHeading(heading: string): string {
  return isTooLong(heading) ? `${truncate(heading, maxHeadingCharacters - 1)}…` : heading
}

/** At most `max` characters, without half of a surrogate pair at the end. */
function truncate(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, "")
}
