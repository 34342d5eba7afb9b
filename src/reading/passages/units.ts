import type { Language } from "../../accounts/project.ts"
import { countWords, markdownBlocks } from "../formats/blocks.ts"
import type { Passage } from "../formats/document.ts"
import { withoutLinks } from "../formats/link.ts"

/** The smallest part of a passage that is quoted. */
export interface Unit {
  /** Verbatim. */
  markdown: string
  /** Offset in the passage, in UTF-16 code units: the same words may occur earlier too. */
  at: number
  kind: "sentence" | "item" | "code" | "quote" | "table" | "label"
  /** Number of its block: sentences of one paragraph and items of one list share a number. */
  block: number
  words: number
  /** Includes code inside a list item. `unreadableLines` where a fence is never closed. */
  codeLines: number
}

/** The units of a passage, in reading order. */
export function passageUnits({ markdown }: Passage, language: Language): Unit[] {
  return rangeUnits(markdown, 0, markdown.length, language)
}

/** Splits the part of a passage between two offsets into units, in reading order. */
export function rangeUnits(passage: string, start: number, end: number, language: Language): Unit[] {
  let next = start
  return markdownBlocks(passage.slice(start, end)).flatMap((text, block) =>
    blockParts(text, language).flatMap(([kind, part]) => {
      const at = passage.indexOf(part, next)
      next = at + part.length
      if (crossReference.test(withoutLinks(part))) return []
      const lines = holdsUnread(part, kind) ? unreadableLines : codeLines(part)
      return { markdown: part, at, kind, block, words: countWords(part), codeLines: lines }
    }),
  )
}

/** A line that only refers to another page answers nothing. */
const crossReference =
  /^(?:[-*+] )?(?:\*\*|\*|_)?(?:voir (?:aussi|également|:)|à lire aussi|en savoir plus|pour (?:en savoir plus|plus de détails)|see also|learn more|read more|for more (?:details|information)|related)\b/i

/** An image whose address Markdown does not read, as its source is written. */
const unreadImage = /^!\[[^\n]{0,500}\)(?:\{[^{}\n]{0,200}\})?$/

/** Mark-up that was not read, or the mark of what could not be. Such a sentence lacks words that the page shows. */
function holdsUnread(markdown: string, kind: Unit["kind"]): boolean {
  if (kind === "code" || !/[\ufffc{[:/!?]/.test(markdown)) return false
  const [text = ""] = markdown.split(/^[ \t]*(?:```|~~~)/m, 1)
  return text.includes("\ufffc") || unreadMarkup.test(text.replace(/`+[^`]*`+/g, ""))
}

const unreadMarkup =
  /\{\{|\{%|\{:|(?<![\\/\w])\[\[[^\s[\].][^[\]\n]*\]\]|^[ \t>]*(?:\\?\[![A-Za-z]|:{3,}|\/{3}|!!!|\?{3})|\\<[A-Z][\w.]*(?:[ \t][^<>]*)?>/m

function codeLines(markdown: string): number {
  let lines = 0
  let fence: string | undefined
  for (const line of markdown.split("\n")) {
    if (fence !== undefined) {
      lines++
      if (line.trimStart().startsWith(fence)) fence = undefined
    } else {
      fence = openingFence.exec(line)?.[1]
      if (fence !== undefined) lines++
    }
  }
  return fence === undefined ? lines : unreadableLines
}

/** More than any bound on quoted code. */
const unreadableLines = 10_000

const openingFence = /^ *(?:(?:-|\d+\.) +)*(`{3,}|~{3,})/

type Part = [Unit["kind"], string]

function blockParts(block: string, language: Language): Part[] {
  if (/^\s*(?:```|~~~)/.test(block)) return [["code", block]]
  if (block.startsWith(">")) return [["quote", block]]
  if (block.startsWith("|")) return [["table", block]]
  if (unreadImage.test(block)) return []
  if (listItem.test(block)) return listItems(block).map((item) => ["item", item])
  if (label.test(withoutLinks(block))) return [["label", block]]
  return splitSentences(block, language).map((sentence) => ["sentence", sentence])
}

/** A heading, or a line in bold used as one. It may be a question. */
const label = /^\*\*[^*]{1,80}(?<![.!…])\*\*$|^#{1,6} /

const listItem = /^(?:[-*+]|\d{1,9}[.)])\s/

/** An item includes the lines that are indented below it. */
function listItems(list: string): string[] {
  const items: string[] = []
  for (const line of list.split("\n")) {
    if (listItem.test(line) || items.length === 0) items.push(line)
    else items[items.length - 1] += `\n${line}`
  }
  return items.map((item) => item.trimEnd())
}

/** Never splits inside code, links or emphasis, so that each sentence is complete Markdown. */
function splitSentences(paragraph: string, language: Language): string[] {
  const masked = paragraph.replace(unsplittable, masking)
  const delimiters = delimitersIn(paragraph)
  const sentences: string[] = []
  let start = 0
  let next = 0
  let open: Record<Delimiter["kind"], number> = { ...noneOpen }
  for (const { segment, index } of segmenters[language].segment(masked)) {
    const end = index + segment.length
    while ((delimiters[next]?.at ?? end) < end) {
      const { kind, count } = delimiters[next++] as Delimiter
      open[kind] += count
    }
    const isBalanced = open.bold % 2 === 0 && open.emphasis % 2 === 0 && open.bracket <= 0
    const pending = paragraph.slice(start, end)
    if (!isBalanced || abbreviation.test(lastWord(pending))) continue
    sentences.push(pending.trim())
    start = end
    open = { ...noneOpen }
  }
  const rest = paragraph.slice(start).trim()
  return rest === "" ? sentences : [...sentences, rest]
}

/** Code, a link, the target of what looks like one, a tag. */
const unsplittable = /`+[^`]*`+|\[[^[\]\n`]*\]\(https:[^()]*\)|\]\([^()]*\)|<[^<>\s][^<>]*>/g

/** Hides a part of a paragraph from the segmenter. A link whose text ends a sentence still ends it. */
function masking(found: string): string {
  const end = /^\[.*([.!?…])\]\(/.exec(found)?.[1]
  return end === undefined ? "x".repeat(found.length) : "x".repeat(found.length - 1) + end
}

const segmenters: Record<Language, Intl.Segmenter> = {
  fr: new Intl.Segmenter("fr", { granularity: "sentence" }),
  en: new Intl.Segmenter("en", { granularity: "sentence" }),
}

/** An initial or an abbreviation, whose full stop does not end a sentence. */
const abbreviation = /^(?:\p{L}\.|e\.g\.|i\.e\.|(?:ex|cf|art|fig|vs|dr|mrs?)\.|n°|etc\.\))$/iu

/** Empty for a last word of more than five characters: no abbreviation is that long. */
function lastWord(text: string): string {
  return /(?:^|[\s('’])(\S{1,5})$/.exec(text.trimEnd().slice(-6))?.[1] ?? ""
}

/** A delimiter of emphasis or a bracket, which a sentence must not leave open. */
interface Delimiter {
  at: number
  kind: "bold" | "emphasis" | "bracket"
  /** −1 for a closing bracket. */
  count: number
}

const noneOpen: Record<Delimiter["kind"], number> = { bold: 0, emphasis: 0, bracket: 0 }

/** The delimiters of a paragraph, in order. Characters inside code are none. */
function delimitersIn(paragraph: string): Delimiter[] {
  const delimiters: Delimiter[] = []
  let stars: { at: number; count: number; end: number } | undefined
  const endStars = () => {
    if (!stars) return
    const { at, count } = stars
    if (count === 1) delimiters.push({ at, kind: "emphasis", count })
    else delimiters.push({ at, kind: "bold", count: Math.floor(count / 2) })
    stars = undefined
  }
  for (const { 0: found, index: at } of paragraph.matchAll(/`+[^`]*`+|\*+|[()]/g)) {
    // Stars on both sides of a code span count as adjacent.
    if (stars && stars.end !== at) endStars()
    const end = at + found.length
    if (found.startsWith("`")) {
      if (stars) stars.end = end
    } else if (found.startsWith("*"))
      stars = { at: stars?.at ?? at, count: (stars?.count ?? 0) + found.length, end }
    else {
      endStars()
      delimiters.push({ at, kind: "bracket", count: found === "(" ? 1 : -1 })
    }
  }
  endStars()
  return delimiters
}
