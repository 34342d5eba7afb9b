import type { Document, Passage } from "./document.ts"

/**
 * Of a passage's text. What a question costs grows with it: ten passages are read for each. The longest code
 * block of the documentations that were looked at has 8,700. Like all lengths here in UTF-16 code units.
 */
export const maxCharacters = 10_000
/**
 * Of a sentence, a list item, a row of a table: what is quoted is no longer. Whole passages of the same
 * documentations have up to 3,500.
 */
export const maxPieceCharacters = 4_000
/** Of a title or a heading; the longest seen have 180. */
const maxHeadCharacters = 300
/** What browsers and servers take for sure. */
const maxUrlCharacters = 2_048

/**
 * The document with a title and headings that are short enough to be shown above every passage. A longer one
 * also stands whole in the text: it is found by all its words.
 */
export function withShortHeads(document: Document): Document {
  const { title } = document
  const sections = document.sections.map(({ headings, anchor, markdown }, at) => {
    const cut = [at === 0 ? title : "", headings.at(-1) ?? ""].filter(isLongHead)
    return {
      headings: headings.map(shortHead),
      anchor,
      markdown: cut.length > 0 ? [...cut, markdown].join("\n\n").trimEnd() : markdown,
    }
  })
  return { ...document, title: shortHead(title), sections }
}

/** An address that is too long with its anchor leads to the page. */
export function shortUrl(url: string): string {
  return url.length > maxUrlCharacters ? (url.split("#")[0] as string) : url
}

/**
 * A passage as it is read: one of an index that was built before there were bounds is cut, until its index
 * has been built again.
 */
export function bounded(passage: Passage): Passage {
  const { title, headings, markdown, url, sections } = passage
  const isSmall = markdown.length <= maxCharacters && ![title, ...headings].some(isLongHead)
  if (isSmall && url.length <= maxUrlCharacters) return passage
  return {
    ...passage,
    title: shortHead(title),
    headings: headings.map(shortHead),
    markdown: beginningOf(markdown, maxCharacters),
    url: shortUrl(url),
    ...(sections && { sections: sections.filter(({ from }) => from < maxCharacters) }),
  }
}

/**
 * A block in parts that are short enough. Code is cut between its lines and each part is in a fence of its
 * own; text after a line, a sentence or a word; what has none of these between two characters.
 */
export function partsOf(block: string): string[] {
  const [opening = "", ...lines] = block.split("\n")
  const fence = /^ *`{3,}/.exec(opening)?.[0]
  const closing = lines.pop()?.trim() ?? ""
  if (!fence || closing !== fence.trim() || opening.length > maxHeadCharacters)
    return block.length <= maxPieceCharacters
      ? [block]
      : cut(block, maxPieceCharacters).map((part) => part.trim())
  if (block.length <= maxCharacters) return [block]
  return cut(lines.join("\n"), maxCharacters - opening.length - closing.length - 2).map(
    (code) => `${opening}\n${code.replace(/\n$/, "")}\n${closing}`,
  )
}

/** All that is not blank, in parts of at most so many characters. */
function cut(text: string, most: number): string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const next = text.slice(at, at + most)
    const part = at + next.length < text.length ? next.slice(0, endIn(next)) : next
    if (part.trim() !== "") parts.push(part)
    at += part.length
  }
  return parts
}

/** Where a text is best cut, in its second half. */
function endIn(text: string): number {
  const half = text.length / 2
  const after = (...ends: string[]) => Math.max(...ends.map((end) => text.lastIndexOf(end) + end.length))
  const line = after("\n")
  if (line > half) return line
  const sentence = after(". ", "! ", "? ", "… ")
  if (sentence > half) return sentence
  const word = after(" ", "\t", "\u00a0", ",", ";")
  if (word > half) return word
  const whole = beginningOf(text, text.length)
  const letters = lastWord.exec(whole.slice(-maxWordCharacters))?.[0].length ?? 0
  return whole.length - letters
}

/** Of longer ones nothing is found (retrieval/analyse.ts). */
const maxWordCharacters = 64
const lastWord = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]+$/u

function isLongHead(head: string): boolean {
  return head.length > maxHeadCharacters
}

function shortHead(head: string): string {
  return isLongHead(head) ? `${beginningOf(head, maxHeadCharacters - 1)}…` : head
}

/** At most so many characters, and no half of one. */
function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "")
}
