import type { Language } from "../../accounts/project.ts"
import type { Passage, SectionStart } from "../../reading/formats/document.ts"
import { withoutLinks } from "../../reading/formats/link.ts"
import { datedTitle } from "../../reading/formats/post.ts"
import type { AnswerPiece } from "../answerer.ts"

/** A cited section (specification, part 2 A2). */
export interface Source {
  n: number
  title: string
  section: string | null
  url: string
}

export interface CitedAnswer {
  /** Simple Markdown with a marker `[^n]` for each source. */
  answer: string
  /** Exactly the sources that the markers name, numbered by first use. */
  sources: Source[]
}

/** A piece that is streamed before the whole answer is known. */
export interface CitedPiece {
  /** Simple Markdown with its markers. */
  text: string
  /** The sources that its markers name. */
  sources: Source[]
}

/** Collects the pieces of an answer and cites them. */
export interface CitationWriter {
  /**
   * undefined when the piece is left out: none of its passages was retrieved, or the answer would exceed
   * `maxAnswerCharacters`.
   */
  add(piece: AnswerPiece): CitedPiece | undefined
  /** undefined while every piece was left out: an answer without a valid source is no answer. */
  answer(): CitedAnswer | undefined
}

/**
 * In UTF-16 code units: several times as long as answers are in practice. The bound exists because every
 * answer is stored.
 */
export const maxAnswerCharacters = 20_000

/**
 * `goesOn`: the words of the link below a quotation that is cut. Guarantees that markers, titles and addresses come
 * from the retrieved passages, never from an answerer.
 */
export function citationWriter(
  retrieved: readonly Passage[],
  goesOn: string,
  language: Language,
): CitationWriter {
  const passageByKey = new Map(retrieved.map((passage) => [passage.key, passage]))
  const sources: Source[] = []
  let answer = ""
  let before: AnswerPiece | undefined
  return {
    add(piece) {
      const markdown = withoutForeignMarkers(piece.markdown)
      const passages = piece.passages.flatMap(({ key }) => passageByKey.get(key) ?? [])
      if (!markdown || passages.length === 0) return undefined
      if (answer.length + markdown.length > maxAnswerCharacters) return undefined
      const numbers = [...new Set(passages.map((passage) => sourceNumber(passage, piece, sources, language)))]
      const url = piece.isCut ? sources[(numbers.at(-1) as number) - 1]?.url : undefined
      const link = url && isLinkable(url) ? `\n\n[${goesOn}](${url})` : ""
      const text = withMarkers(`${markdown.trimEnd()}${link}`, numbers.map((n) => `[^${n}]`).join(""))
      answer += `${before ? separator(before, piece) : ""}${text}`
      before = piece
      return { text, sources: numbers.map((n) => sources[n - 1] as Source) }
    },
    answer: () => before && { answer, sources },
  }
}

/** Markdown reads the address as it stands. */
function isLinkable(url: string): boolean {
  return /^https?:[^\s()<>\\]+$/.test(url)
}

/** The text of an answer that a model reads as context of a later question: without markers and addresses. */
export function withoutMarkers(answer: string): string {
  return withoutLinks(answer.replace(/ ?\[\^\d+\]/g, ""))
}

/** Passages of one long section share a number, because a visitor sees one section. */
function sourceNumber(passage: Passage, piece: AnswerPiece, sources: Source[], language: Language): number {
  const title = datedTitle(passage, language)
  const { heading: section, url } = quotedSection(passage, piece)
  const same = sources.find(
    (source) => source.url === url && source.title === title && source.section === section,
  )
  if (same) return same.n
  const n = sources.length + 1
  sources.push({ n, title, section, url })
  return n
}

/**
 * The section that contains a quotation. For a piece that is no quotation: the section that shares most of
 * its words, or the passage's own section when none shares any.
 */
export function quotedSection(passage: Passage, piece: AnswerPiece): Pick<SectionStart, "heading" | "url"> {
  const { sections, headings, url, markdown } = passage
  const at = piece.at ?? markdown.indexOf(piece.markdown)
  const quoted = sections?.findLast(({ from }) => from <= at)
  const place = passage.places?.findLast(({ from }) => from <= at)
  const section = quoted ??
    closestSection(passage, piece) ?? { from: 0, heading: headings.at(-1) ?? null, url }
  return place && place.from >= section.from ? { heading: section.heading, url: place.url } : section
}

function closestSection({ sections = [], markdown }: Passage, piece: AnswerPiece): SectionStart | undefined {
  const words = significantWords(piece.markdown)
  const shared = sections.map(({ from }, n) => {
    const section = significantWords(withoutLinks(markdown.slice(from, sections[n + 1]?.from)))
    return words.intersection(section).size
  })
  const most = Math.max(...shared)
  return most > 0 ? sections[shared.indexOf(most)] : undefined
}

/** Words of four letters or more, because shorter ones occur everywhere; and every number. */
function significantWords(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{N}+|\p{L}{4,}/gu))
}

/**
 * Removes a passage's own footnotes, which point nowhere in an answer and look like our markers. Removing one
 * from code would change the code, so a piece whose code looks like a marker is dropped: undefined.
 */
export function withoutForeignMarkers(markdown: string): string | undefined {
  const parts = markdown.split(code)
  const text = parts.map((part, index) => (index % 2 === 0 ? withoutFootnotes(part) : part)).join("")
  if (/\[\^\d+\]/.test(text)) return undefined
  return text.trim() === "" ? undefined : text
}

/** Fenced blocks, then code spans. One capturing group, so that `split` gives text and code in turn. */
const code =
  /((?<![^\n]) {0,3}```[\s\S]*?\n {0,3}```|(?<![^\n]) {0,3}~~~[\s\S]*?\n {0,3}~~~|``[^`]*``|`[^`]*`)/

/**
 * Runs twice, because removing a footnote may join the text around it into another one. If deeper nesting
 * leaves a marker, `withoutForeignMarkers` drops the piece.
 */
function withoutFootnotes(text: string): string {
  return text.replace(footnote, "").replace(footnote, "")
}

const footnote = / ?\\?\[\^[^[\]\s]+\](?:: ?)?/g

/** Joins sentences of one passage into a paragraph and items into a list; any other piece is a paragraph. */
function separator(before: AnswerPiece, piece: AnswerPiece): string {
  // Markdown reads a numbered item right below a marker's own line as part of that marker's paragraph.
  if (isItem(before) && isItem(piece)) return endsInBlock(before.markdown) ? "\n\n" : "\n"
  const sentences = isSentence(before) && isSentence(piece)
  return sentences && before.passages[0]?.key === piece.passages[0]?.key ? " " : "\n\n"
}

function withMarkers(markdown: string, markers: string): string {
  return `${markdown.trimEnd()}${endsInBlock(markdown) ? "\n\n" : " "}${markers}`
}

/** True for a piece that ends in a code block or a table, which would swallow a marker on its last line. */
function endsInBlock(markdown: string): boolean {
  const last = markdown.trimEnd().split("\n").at(-1) as string
  return /^\s*(```|~~~|\|)/.test(last) || /^( {4}|\t)/.test(last)
}

function isItem({ markdown }: AnswerPiece): boolean {
  return /^\s*([-*+]|\d{1,9}[.)])\s/.test(markdown)
}

function isSentence({ markdown }: AnswerPiece): boolean {
  return !isItem({ markdown, passages: [] }) && !/\n|^\s*(```|~~~|\||#|>)/.test(markdown.trim())
}
