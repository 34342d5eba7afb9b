import type { Language } from "../../workspaces/project.ts"
import { blocksOf, countWords } from "../documents/pieces.ts"

/** The smallest part of a passage that can be quoted: never cut further. */
export interface Unit {
  /** Word for word as it stands in the passage. */
  markdown: string
  /** Where it stands in the passage, in UTF-16 code units: another of the same words may stand before it. */
  at: number
  kind: "sentence" | "item" | "code" | "quote" | "table" | "label"
  /** Which block of the passage it stands in: sentences of one paragraph and items of one list share theirs. */
  block: number
  words: number
  /** Also those of code inside a list item. */
  codeLines: number
}

/** Sentences, list items, code blocks, quotes and tables of a passage from `start` up to `end`, in reading order. */
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
  const fences = markdown.match(/^ *(?:(?:-|\d+\.) +)*(`{3,}|~{3,})[\s\S]*?^ *\1/gm) ?? []
  return fences.reduce((sum, fence) => sum + fence.split("\n").length, 0)
}

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
  const masked = paragraph.replace(/`+[^`]*`+|\]\([^)]*\)|<[^>\s][^>]*>/g, (found) =>
    "x".repeat(found.length),
  )
  const sentences: string[] = []
  let pending = ""
  for (const { segment, index } of segmenters[language].segment(masked)) {
    pending += paragraph.slice(index, index + segment.length)
    const isWhole = balanced(pending) && !abbreviation.test(lastWord(pending))
    if (!isWhole) continue
    sentences.push(pending.trim())
    pending = ""
  }
  if (pending.trim() !== "") sentences.push(pending.trim())
  return sentences
}

const segmenters: Record<Language, Intl.Segmenter> = {
  fr: new Intl.Segmenter("fr", { granularity: "sentence" }),
  en: new Intl.Segmenter("en", { granularity: "sentence" }),
}

/** A lone initial, and words whose full stop ends no sentence. */
const abbreviation = /^(?:\p{L}\.|e\.g\.|i\.e\.|(?:ex|cf|art|fig|vs|dr|mrs?)\.|n°|etc\.\))$/iu

function lastWord(text: string): string {
  return /(?:^|[\s('’])(\S{1,5})\s*$/.exec(text)?.[1] ?? ""
}

function balanced(text: string): boolean {
  const prose = text.replace(/`+[^`]*`+/g, "")
  const count = (pattern: RegExp) => prose.match(pattern)?.length ?? 0
  return count(/\*\*/g) % 2 === 0 && count(/(?<!\*)\*(?!\*)/g) % 2 === 0 && count(/\(/g) <= count(/\)/g)
}
