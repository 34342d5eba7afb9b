import { countOccurrences } from "../page-limits.ts"

/**
 * Markdown that Bun's parser reads in linear time and to HTML of linear size. A page that exceeds one of the
 * limits below, which no person's page does, loses that construct and keeps its text.
 */
export function withinParserLimits(markdown: string): string {
  return withoutEndlessTables(withoutRepeatedAddresses(withoutOddBackticks(markdown)))
}

const longRun = 32
/** The parser searches for each length of a long run up to the end of the page. */
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

/** Characters of addresses and titles that all links of a page may repeat together. */
const maxRepeatedCharacters = 1_000_000_000

/**
 * The parser repeats a definition (`[name]: address "title"`) at each `[name]`: a long definition that is
 * used often makes gigabytes of a page.
 */
function withoutRepeatedAddresses(markdown: string): string {
  if (!markdown.includes("]:")) return markdown
  const uses = countOccurrences(markdown, "[")
  if (uses * longestDefinition(markdown.split("\n")) <= maxRepeatedCharacters) return markdown
  // A word joiner breaks the definition and is invisible, in text and in code.
  return markdown.replaceAll("]:", "]\u2060:")
}

/**
 * Upper bound for the length of a definition in these lines. A definition that does not clearly end on its
 * own line counts up to the next empty line.
 */
function longestDefinition(lines: string[]): number {
  let longest = 0
  /** Length of the paragraph from its first unfinished definition on; undefined without such a definition. */
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

/** Cells that the parser may add to short rows of a page. */
const maxAddedCells = 100_000
/** The parser reads no further columns. */
const maxColumns = 128

/**
 * The parser fills every row up to the columns of its table: a wide head above very many short rows makes
 * gigabytes of a page.
 */
function withoutEndlessTables(markdown: string): string {
  if (!markdown.includes("|")) return markdown
  const lines = markdown.split("\n")
  let added = 0
  let columns = 0
  for (const line of lines) {
    if (line.trim() === "") columns = 0
    const cells = line.includes("|") ? countOccurrences(line, "|", maxColumns) : 0
    if (columns > 0) added += Math.max(0, columns - cells)
    if (cells > columns && isDelimiter(line)) columns = cells
  }
  return added <= maxAddedCells ? markdown : lines.filter((line) => !isDelimiter(line)).join("\n")
}

/** Whether a line may be the one below a table's head, also in a quote or a list. */
function isDelimiter(line: string): boolean {
  return line.includes("|") && line.includes("-") && /^[\s>*+\d.):|-]+$/.test(line)
}
