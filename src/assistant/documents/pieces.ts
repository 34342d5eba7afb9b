/**
 * Blocks of simple Markdown as our own reading writes it: paragraphs, whole lists, tables, quotes and code
 * fences.
 */
export function blocksOf(markdown: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence: string | undefined
  for (const line of markdown.split("\n")) {
    const startsAnew = !fence && block.at(-1) === "" && !(isListed(block[0]) && /^(?: {2,}|$)/.test(line))
    if (startsAnew) end()
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

/** A longer head of a table stands above its first piece alone: above thousands it would make gigabytes. */
const longestHead = 2000

/**
 * A block longer than `maxWords`, in pieces: a list at its items, a table at its rows (each piece with the
 * head), a paragraph at its sentences. A code fence is one piece however long.
 */
export function piecesOf(block: string, maxWords: number): string[] {
  if (countWords(block) <= maxWords) return [block]
  const lines = block.split("\n")
  if (isListed(lines[0])) return packed(itemsOf(lines), maxWords)
  if (lines[0]?.startsWith("|")) {
    const head = lines.slice(0, 2).join("\n")
    const pieces = packed(lines.slice(2), maxWords)
    return pieces.map((rows, at) => (at > 0 && head.length > longestHead ? rows : `${head}\n${rows}`))
  }
  if (/^ *```/.test(block)) return [block]
  return packed(block.split(/(?<=[.!?…]) +/), maxWords, " ")
}

const word = /[\p{L}\p{N}_]+(?:['’.-][\p{L}\p{N}_]+)*/gu

/** Makes no list of the words: a page may hold millions. */
export function countWords(text: string): number {
  let count = 0
  word.lastIndex = 0
  while (word.test(text)) count++
  return count
}

function itemsOf(lines: string[]): string[] {
  const items: string[] = []
  for (const line of lines) {
    if (isListed(line) || items.length === 0) items.push(line)
    else items[items.length - 1] += `\n${line}`
  }
  return items
}

function packed(items: string[], maxWords: number, glue = "\n"): string[] {
  const pieces: string[] = []
  let words = Number.POSITIVE_INFINITY
  for (const item of items) {
    words += countWords(item)
    if (words > maxWords) {
      pieces.push(item)
      words = countWords(item)
    } else pieces[pieces.length - 1] += glue + item
  }
  return pieces
}

function isListed(line: string | undefined): boolean {
  return /^(?:- |\d+\. )/.test(line ?? "")
}
