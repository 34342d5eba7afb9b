import { withoutLinks } from "./link.ts"

/**
 * Blocks of the simple Markdown that our readers write: paragraphs, whole lists, tables, quotes, code fences.
 */
export function markdownBlocks(markdown: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence: string | undefined
  for (const line of markdown.split("\n")) {
    const startsBlock = !fence && block.at(-1) === "" && !(isListItem(block[0]) && /^(?: {2,}|$)/.test(line))
    if (startsBlock) end()
    const ticks = /^\s*(?:(?:-|\d+\.) +)*(`{3,})/.exec(line)?.[1]
    if (!fence) fence = ticks
    else if (line.trim() === fence) fence = undefined
    block.push(line)
  }
  end()
  return blocks

  function end(): void {
    const text = block.join("\n").trimEnd()
    if (text !== "") blocks.push(text)
    block = []
  }
}

/** A longer table head is not repeated: above thousands of pieces it would make gigabytes. */
const maxRepeatedHeadCharacters = 2000

/**
 * Splits a block longer than `maxWords`: a list at its items, a table at its rows (each piece repeats the
 * head), a paragraph at its sentences. A code fence stays whole, however long.
 */
export function splitBlock(block: string, maxWords: number): string[] {
  if (countWords(block) <= maxWords) return [block]
  const lines = block.split("\n")
  if (isListItem(lines[0])) return packed(listItems(lines), maxWords)
  if (lines[0]?.startsWith("|")) {
    const head = lines.slice(0, 2).join("\n")
    const pieces = packed(lines.slice(2), maxWords)
    return pieces.map((rows, at) =>
      at > 0 && head.length > maxRepeatedHeadCharacters ? rows : `${head}\n${rows}`,
    )
  }
  if (/^ *```/.test(block)) return [block]
  return packed(block.split(/(?<=[.!?…]) +/), maxWords, " ")
}

const word = /[\p{L}\p{N}_]+(?:['’.-][\p{L}\p{N}_]+)*/gu

/** Counts without a list of the words: a page may hold millions. Addresses of links are no words. */
export function countWords(markdown: string): number {
  const text = withoutLinks(markdown)
  let count = 0
  word.lastIndex = 0
  while (word.test(text)) count++
  return count
}

/**
 * Whether a heading tells something instead of naming what stands below it: « Le lundi de 16h à 18h30 », « Directrice :
 * Mme Michel », « La durée du prêt est de 4 semaines. » Told by its shape, in any language.
 */
export function isStatement(heading: string): boolean {
  const text = heading.replace(/^\d+(?:\.\d+)*[.)]?\s/, "")
  return /[.!…:]\s*$/.test(text.slice(-4)) || /:\s\S/.test(text) || /\d/.test(text)
}

function listItems(lines: string[]): string[] {
  const items: string[] = []
  for (const line of lines) {
    if (isListItem(line) || items.length === 0) items.push(line)
    else items[items.length - 1] += `\n${line}`
  }
  return items
}

/** Joins items into pieces of at most `maxWords` words; a longer item is a piece of its own. */
function packed(items: string[], maxWords: number, separator = "\n"): string[] {
  const pieces: string[] = []
  let words = Number.POSITIVE_INFINITY
  for (const item of items) {
    words += countWords(item)
    if (words > maxWords) {
      pieces.push(item)
      words = countWords(item)
    } else pieces[pieces.length - 1] += separator + item
  }
  return pieces
}

function isListItem(line: string | undefined): boolean {
  return /^(?:- |\d+\. )/.test(line ?? "")
}
