import type { AnswerPiece } from "../answerer.ts"
import type { Passage, SectionStart } from "../documents/document.ts"

/** A cited passage, as the specification's part 2 A2 describes it. */
export interface Source {
  n: number
  title: string
  section: string | null
  url: string
}

export interface CitedAnswer {
  /** Simple Markdown with a marker `[^n]` for each source. */
  answer: string
  /** Exactly those that the markers name, numbered by first use. */
  sources: Source[]
}

/** A piece of the answer as it goes out, before the whole answer is there. */
export interface CitedPiece {
  /** Simple Markdown with its markers. */
  text: string
  /** Those that its markers name. */
  sources: Source[]
}

/** An answer that is being written. */
export interface Citation {
  /**
   * undefined when the piece is left out: what it rests on was not retrieved, or the answer is long enough
   * without it.
   */
  add(piece: AnswerPiece): CitedPiece | undefined
  /** The whole; undefined while nothing was taken: an answer without a valid source is none. */
  written(): CitedAnswer | undefined
}

/**
 * In UTF-16 code units: several times the longest that a visitor is seen to be given. Every answer is stored.
 */
export const maxAnswerCharacters = 20_000

/** Only our own code writes markers, titles and addresses. */
export function openCitation(retrieved: readonly Passage[]): Citation {
  const known = new Map(retrieved.map((passage) => [passage.key, passage]))
  const sources: Source[] = []
  let answer = ""
  let before: AnswerPiece | undefined
  return {
    add(piece) {
      const markdown = withoutForeignMarkers(piece.markdown)
      const passages = piece.passages.flatMap(({ key }) => known.get(key) ?? [])
      if (!markdown || passages.length === 0) return undefined
      if (answer.length + markdown.length > maxAnswerCharacters) return undefined
      const numbers = [...new Set(passages.map((passage) => numberOf(passage, piece, sources)))]
      const text = marked(markdown, numbers.map((n) => `[^${n}]`).join(""))
      answer += `${before ? separator(before, piece) : ""}${text}`
      before = piece
      return { text, sources: numbers.map((n) => sources[n - 1] as Source) }
    },
    written: () => before && { answer, sources },
  }
}

/** Writes an answer from all its pieces. */
export function citedAnswer(
  pieces: readonly AnswerPiece[],
  retrieved: readonly Passage[],
): CitedAnswer | undefined {
  const citation = openCitation(retrieved)
  for (const piece of pieces) citation.add(piece)
  return citation.written()
}

/** The answer without its markers: what an earlier answer means to a later question. */
export function withoutMarkers(answer: string): string {
  return answer.replace(/ ?\[\^\d+\]/g, "")
}

/** Parts of one long section read the same to a visitor: they are one source. */
function numberOf(passage: Passage, piece: AnswerPiece, sources: Source[]): number {
  const { title } = passage
  const { heading: section, url } = sectionOf(passage, piece)
  const same = sources.find(
    (source) => source.url === url && source.title === title && source.section === section,
  )
  if (same) return same.n
  const n = sources.length + 1
  sources.push({ n, title, section, url })
  return n
}

/**
 * The section that a quotation stands in; for words that are not a quotation the one that shares most of
 * them, else the passage's own.
 */
function sectionOf(passage: Passage, piece: AnswerPiece): Pick<SectionStart, "heading" | "url"> {
  const { sections, headings, url, markdown } = passage
  const at = piece.at ?? markdown.indexOf(piece.markdown)
  const quoted = sections?.findLast(({ from }) => from <= at)
  return quoted ?? closestSection(passage, piece) ?? { heading: headings.at(-1) ?? null, url }
}

function closestSection({ sections = [], markdown }: Passage, piece: AnswerPiece): SectionStart | undefined {
  const words = wordsOf(piece.markdown)
  const shared = sections.map(({ from }, n) => {
    const section = wordsOf(markdown.slice(from, sections[n + 1]?.from))
    return words.intersection(section).size
  })
  const most = Math.max(...shared)
  return most > 0 ? sections[shared.indexOf(most)] : undefined
}

/** Not the short ones, which are everywhere; of numbers every one. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{N}+|\p{L}{4,}/gu))
}

/**
 * A passage's own footnotes point nowhere in an answer and would pass for our markers: they go. In code they
 * cannot go without changing it, so a piece whose code reads like a marker goes whole.
 */
function withoutForeignMarkers(markdown: string): string | undefined {
  const parts = markdown.split(code)
  const text = parts.map((part, place) => (place % 2 === 0 ? withoutFootnotes(part) : part)).join("")
  if (/\[\^\d+\]/.test(text)) return undefined
  return text.trim() === "" ? undefined : text
}

/** Fenced blocks, then spans. Captured as one group, so that `split` gives text and code in turn. */
const code =
  /((?<![^\n]) {0,3}```[\s\S]*?\n {0,3}```|(?<![^\n]) {0,3}~~~[\s\S]*?\n {0,3}~~~|``[^`]*``|`[^`]*`)/

/**
 * Twice: what stands around a footnote may become one. Nested deeper they are no footnotes, and a piece where
 * one is left goes whole.
 */
function withoutFootnotes(text: string): string {
  return text.replace(footnote, "").replace(footnote, "")
}

const footnote = / ?\\?\[\^[^[\]\s]+\](?:: ?)?/g

/** Sentences of one passage run on; a list stays a list; all else is a paragraph of its own. */
function separator(before: AnswerPiece, piece: AnswerPiece): string {
  // A numbered item right below a marker that stands alone would be read as words of the marker's paragraph.
  if (isItem(before) && isItem(piece)) return endsClosed(before.markdown) ? "\n\n" : "\n"
  const sentences = isSentence(before) && isSentence(piece)
  return sentences && before.passages[0]?.key === piece.passages[0]?.key ? " " : "\n\n"
}

function marked(markdown: string, markers: string): string {
  return `${markdown.trimEnd()}${endsClosed(markdown) ? "\n\n" : " "}${markers}`
}

/** A marker inside a code block or a table would belong to it: there it stands below. */
function endsClosed(markdown: string): boolean {
  const last = markdown.trimEnd().split("\n").at(-1) as string
  return /^\s*(```|~~~|\|)/.test(last) || /^( {4}|\t)/.test(last)
}

function isItem({ markdown }: AnswerPiece): boolean {
  return /^\s*([-*+]|\d{1,9}[.)])\s/.test(markdown)
}

function isSentence({ markdown }: AnswerPiece): boolean {
  return !isItem({ markdown, passages: [] }) && !/\n|^\s*(```|~~~|\||#|>)/.test(markdown.trim())
}
