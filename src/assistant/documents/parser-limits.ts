import { countOf } from "./page-limits.ts"

/**
 * Markdown that Bun's parser reads in linear time and to a result of linear size. It does so of all that
 * people write; of the few things below, a page that holds them beyond measure loses what they stand for and
 * keeps its text.
 */
export function withinParserLimits(markdown: string): string {
  return withoutEndlessTables(withoutRepeatedAddresses(withoutOddBackticks(markdown)))
}

const longRun = 32
/** Each length of a long run is looked for to the end of the page. */
const maxLongRuns = 10

function withoutOddBackticks(markdown: string): string {
  if (!markdown.includes("`".repeat(longRun + 1))) return markdown
  const lengths = new Set<number>()
  for (const [run] of markdown.matchAll(longBackticks)) {
    lengths.add(run.length)
    if (lengths.size > maxLongRuns) return markdown.replace(longBackticks, "`".repeat(longRun))
  }
  return markdown
}

const longBackticks = /`{33,}/g

/** Characters of addresses and titles that may be written out for all links together. */
const maxWrittenOut = 1_000_000_000

/**
 * A definition (`[name]: address "title"`) is written out at each `[name]`: a long one, called often, makes
 * gigabytes of a page.
 */
function withoutRepeatedAddresses(markdown: string): string {
  if (!markdown.includes("]:")) return markdown
  const uses = countOf(markdown, "[")
  if (uses * longestDefinition(markdown.split("\n")) <= maxWrittenOut) return markdown
  // A word joiner: nobody sees it, in text or in code.
  return markdown.replaceAll("]:", "]\u2060:")
}

/**
 * No definition of these lines is longer: one that does not plainly end on its line is taken to go on to the
 * next empty line.
 */
function longestDefinition(lines: string[]): number {
  let longest = 0
  /** Length of the paragraph from its first such definition on, while there is one. */
  let open: number | undefined
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") open = undefined
    const definition = line.indexOf("]:")
    const isWhole = definition !== -1 && isWholeDefinition(line, definition + 2, lines[at + 1] ?? "")
    if (open !== undefined) open += line.length + 1
    else if (definition !== -1 && !isWhole) open = line.length + 1
    longest = Math.max(longest, open ?? (definition === -1 ? 0 : line.length))
  }
  return longest
}

function isWholeDefinition(line: string, from: number, next: string): boolean {
  if (line.length > 4000 || line.includes("\\]") || /^[\s>]*["'(]/.test(next)) return false
  return /^(?:<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?$/.test(line.slice(from).trim())
}

/** Cells that may be added to rows with fewer than their table has columns. */
const maxAddedCells = 100_000
/** The parser follows no more. */
const maxColumns = 128

/**
 * Every row of a table is filled up to its columns: one wide head above very many short rows makes gigabytes
 * of a page.
 */
function withoutEndlessTables(markdown: string): string {
  if (!markdown.includes("|")) return markdown
  const lines = markdown.split("\n")
  let added = 0
  let columns = 0
  for (const line of lines) {
    if (line.trim() === "") columns = 0
    const cells = line.includes("|") ? countOf(line, "|", maxColumns) : 0
    if (columns > 0) added += Math.max(0, columns - cells)
    if (cells > columns && isDelimiter(line)) columns = cells
  }
  return added <= maxAddedCells ? markdown : lines.filter((line) => !isDelimiter(line)).join("\n")
}

/** The line below a table's head, also in a quote or a list, and whatever looks like it. */
function isDelimiter(line: string): boolean {
  return line.includes("|") && line.includes("-") && /^[\s>*+\d.):|-]+$/.test(line)
}
