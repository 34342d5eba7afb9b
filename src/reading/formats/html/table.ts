import { type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import { type ElementTest, isHeading, topmost } from "./dom.ts"
import { escapeBlockStarts, inlineMarkdown, pictureText } from "./inline.ts"

/** Whether a table only lays out the page or numbers the lines of code. */
export function isLayoutTable(table: Element): boolean {
  return (
    table.attribs["role"] === "presentation" ||
    DomUtils.findOne(
      (element) => element.name === "pre" || element.name === "table" || isHeading(element),
      table.children,
    ) !== null
  )
}

/** Characters that the tables of a page may still repeat for cells that span several rows. */
export interface RepeatBudget {
  charactersLeft: number
}

/** Characters that all spanning cells of one page may repeat together. */
export const maxRepeatedCharacters = 1_000_000

/**
 * The caption, then the table as GitHub's Markdown writes it; empty for a table without text. The cards of
 * GitBook are a table too: each becomes an item of a list.
 */
export function tableMarkdown(element: Element, isSkipped: ElementTest, repeats: RepeatBudget): string {
  const rows = withoutHidden(tableRows(element, isSkipped, repeats), hiddenColumns(element))
  const [head, ...body] = rows.filter((row) => row.some((cell) => cell !== ""))
  if (!head) return ""
  if (element.attribs["data-view"] === "cards") return cards(head, body, element)
  const width = body.reduce((widest, row) => Math.max(widest, row.length), head.length)
  const caption = DomUtils.getElementsByTagName("caption", element.children)[0]
  const title =
    caption && !isSkipped(caption) ? escapeBlockStarts(inlineMarkdown(caption.children, isSkipped)) : ""
  return [
    ...(title ? [title, ""] : []),
    tableRow(head, width),
    `|${" --- |".repeat(width)}`,
    ...body.map((row) => tableRow(row, Math.min(width, maxFilledColumns))),
  ].join("\n")
}

/** Columns that GitBook does not show: the address and the picture of a card. */
function hiddenColumns(element: Element): ReadonlySet<number> {
  const head = DomUtils.findOne(({ name }) => name === "tr", element.children)
  const cells = head?.children.filter(isTag) ?? []
  return new Set(cells.flatMap(({ attribs }, at) => (attribs["data-hidden"] === undefined ? [] : [at])))
}

function withoutHidden(rows: string[][], hidden: ReadonlySet<number>): string[][] {
  return hidden.size === 0 ? rows : rows.map((row) => row.filter((_, at) => !hidden.has(at)))
}

/** The names of the columns of cards are not shown. */
function cards(head: string[], body: string[][], element: Element): string {
  const visible = isNamed(element) ? body : [head, ...body]
  return visible
    .map((row) => row.filter((cell) => cell !== "").map((cell) => cell.replaceAll("\\|", "|")))
    .map((texts) => `- ${texts.join("\n  ")}`)
    .join("\n")
}

function isNamed(element: Element): boolean {
  const head = DomUtils.findOne(({ name }) => name === "thead", element.children)
  const cells = DomUtils.findAll(
    ({ name, attribs }) => name === "th" && attribs["data-hidden"] === undefined,
    head ? [head] : [],
  )
  return cells.some((cell) => DomUtils.textContent(cell).trim() !== "")
}

/**
 * Short rows are filled up to this many columns: filling thousands of them up to one very wide row would make
 * gigabytes.
 */
const maxFilledColumns = 30

function tableRow(row: string[], columns: number): string {
  const length = Math.max(row.length, columns)
  return `| ${Array.from({ length }, (_, at) => row[at] ?? "").join(" | ")} |`
}

/**
 * Spans are followed over this many rows and columns, and only for cells with no more text: a few large spans
 * of a hostile page would make gigabytes.
 */
const maxSpan = { rows: 100, columns: 20, characters: 200 }

/**
 * Cells by row, each in its own column. A cell that spans rows is repeated in each row. A cell that spans
 * columns stands in the first column, and the others are empty.
 */
function tableRows(element: Element, isSkipped: ElementTest, repeats: RepeatBudget): string[][] {
  let above: { text: string; rows: number }[] = []
  return topmost(element.children, ({ name }) => name === "tr").map((row) => {
    const cells: typeof above = []
    const addSpanningCells = () => {
      for (let cell = above[cells.length]; cell && cell.rows > 1; cell = above[cells.length])
        cells.push({
          text: repeated(cell.text, repeats),
          rows: cells.length < maxSpan.columns ? cell.rows - 1 : 1,
        })
    }
    for (const cell of row.children.filter(isTag)) {
      addSpanningCells()
      const written = inlineMarkdown(cell.children, isSkipped) || pictureText(cell.children)
      const text = written.replace(/\n+/g, " ").replaceAll("|", "\\|")
      const rows = Math.min(Number(cell.attribs["rowspan"]) || 1, maxSpan.rows)
      const columns = Math.min(Number(cell.attribs["colspan"]) || 1, maxSpan.columns)
      for (let column = 0; column < columns; column++) cells.push({ text: column === 0 ? text : "", rows })
    }
    addSpanningCells()
    above = cells
    return cells.map(({ text }) => text)
  })
}

function repeated(text: string, repeats: RepeatBudget): string {
  if (text.length > maxSpan.characters || text.length > repeats.charactersLeft) return ""
  repeats.charactersLeft -= text.length
  return text
}
