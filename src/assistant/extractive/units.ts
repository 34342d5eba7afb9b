import type { Language } from "../../accounts/project.ts"
import { blocksOf, countWords } from "../documents/pieces.ts"

/** The smallest part of a passage that can be quoted: never cut further. */
export interface Unit {
  /** Word for word as it stands in the passage. */
  markdown: string
  /** Where it stands in the passage, in UTF-16 code units: another of the same words may stand before it. */
  at: number
  kind: "sentence" | "item" | "code" | "quote" | "table" | "label"
  /**
   * Which block of the passage it stands in: sentences of one paragraph and items of one list share theirs.
   */
  block: number
  words: number
  /** Also those of code inside a list item; more than anybody reads where a fence is never closed. */
  codeLines: number
}

/**
 * Sentences, list items, code blocks, quotes and tables of a passage from `start` up to `end`, in reading
 * order.
 */
export function unitsOf(passage: string, start: number, end: number, language: Language): Unit[] {
  let next = start
  return blocksOf(passage.slice(start, end)).flatMap((text, block) =>
    partsOf(text, language).flatMap(([kind, part]) => {
      const at = passage.indexOf(part, next)
      next = at + part.length
      if (pointer.test(part)) return []
      return { markdown: part, at, kind, block, words: countWords(part), codeLines: codeLines(part) }
    }),
  )
}

/** What only sends the reader elsewhere answers nothing. */
const pointer =
  /^(?:[-*+] )?(?:\*\*|\*|_)?(?:voir (?:aussi|également|:)|à lire aussi|en savoir plus|pour (?:en savoir plus|plus de détails)|see also|learn more|read more|for more (?:details|information)|related)\b/i

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

const unreadableLines = 10_000

const openingFence = /^ *(?:(?:-|\d+\.) +)*(`{3,}|~{3,})/

type Part = [Unit["kind"], string]

function partsOf(block: string, language: Language): Part[] {
  if (/^\s*(?:```|~~~)/.test(block)) return [["code", block]]
  if (block.startsWith(">")) return [["quote", block]]
  if (block.startsWith("|")) return [["table", block]]
  if (listItem.test(block)) return itemsOf(block).map((item) => ["item", item])
  if (label.test(block)) return [["label", block]]
  return sentencesOf(block, language).map((sentence) => ["sentence", sentence])
}

/** A heading, or a line in bold that stands for one: a question as often as a title. */
const label = /^\*\*[^*]{1,80}(?<![.!…])\*\*$|^#{1,6} /

const listItem = /^(?:[-*+]|\d{1,9}[.)])\s/

/** An item keeps what is indented under it. */
function itemsOf(list: string): string[] {
  const items: string[] = []
  for (const line of list.split("\n")) {
    if (listItem.test(line) || items.length === 0) items.push(line)
    else items[items.length - 1] += `\n${line}`
  }
  return items.map((item) => item.trimEnd())
}

/** Never split inside code, a link or an emphasis, so that each sentence is whole Markdown. */
function sentencesOf(paragraph: string, language: Language): string[] {
  const masked = paragraph.replace(unsplit, (found) => "x".repeat(found.length))
  const marks = marksIn(paragraph)
  const sentences: string[] = []
  let start = 0
  let next = 0
  let open: Record<Mark["kind"], number> = { ...noneOpen }
  for (const { segment, index } of segmenters[language].segment(masked)) {
    const end = index + segment.length
    for (let mark = marks[next]; mark && mark.at < end; mark = marks[++next]) open[mark.kind] += mark.count
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

/** Code, the address of a link, a tag. */
const unsplit = /`+[^`]*`+|\]\([^()]*\)|<[^<>\s][^<>]*>/g

const segmenters: Record<Language, Intl.Segmenter> = {
  fr: new Intl.Segmenter("fr", { granularity: "sentence" }),
  en: new Intl.Segmenter("en", { granularity: "sentence" }),
}

/** A lone initial, and words whose full stop ends no sentence. */
const abbreviation = /^(?:\p{L}\.|e\.g\.|i\.e\.|(?:ex|cf|art|fig|vs|dr|mrs?)\.|n°|etc\.\))$/iu

/** Of up to five letters: no abbreviation is longer. */
function lastWord(text: string): string {
  return /(?:^|[\s('’])(\S{1,5})$/.exec(text.trimEnd().slice(-6))?.[1] ?? ""
}

/** Signs that open or close something which a sentence holds whole. */
interface Mark {
  at: number
  kind: "bold" | "emphasis" | "bracket"
  /** −1 for what closes a bracket. */
  count: number
}

const noneOpen: Record<Mark["kind"], number> = { bold: 0, emphasis: 0, bracket: 0 }

/** Of a paragraph, in order; what stands in code is none. */
function marksIn(paragraph: string): Mark[] {
  const marks: Mark[] = []
  let stars: { at: number; count: number; end: number } | undefined
  const endStars = () => {
    if (!stars) return
    const { at, count } = stars
    if (count === 1) marks.push({ at, kind: "emphasis", count })
    else marks.push({ at, kind: "bold", count: Math.floor(count / 2) })
    stars = undefined
  }
  for (const { 0: found, index: at } of paragraph.matchAll(/`+[^`]*`+|\*+|[()]/g)) {
    // Stars on both sides of a piece of code are counted as if it were not there.
    if (stars && stars.end !== at) endStars()
    const end = at + found.length
    if (found.startsWith("`")) {
      if (stars) stars.end = end
    } else if (found.startsWith("*"))
      stars = { at: stars?.at ?? at, count: (stars?.count ?? 0) + found.length, end }
    else {
      endStars()
      marks.push({ at, kind: "bracket", count: found === "(" ? 1 : -1 })
    }
  }
  endStars()
  return marks
}
