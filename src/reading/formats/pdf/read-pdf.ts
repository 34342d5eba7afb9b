import { detail } from "../../../base/errors.ts"
import type { Document, LeftOut } from "../document.ts"
import type { FlowItem } from "../html/flow.ts"
import { htmlItems, type Place, toDocument } from "../structured.ts"
import { withoutContents } from "./contents.ts"
import { lineJoiner } from "./hyphens.ts"
import { withNotes, withNotesInBrackets } from "./notes.ts"
import { openPdf } from "./open-pdf.ts"
import {
  type Body,
  bodyStyle,
  headingRatio,
  type PageBlock,
  type Paragraph,
  pageBlocks,
  withoutMark,
} from "./paragraphs.ts"
import { withoutRunningLines } from "./running-lines.ts"

/**
 * Reads a PDF as its text: headings by the size of their letters, tables, lists and paragraphs by where their words
 * stand. Each part of the text tells the page that it stands on as its anchor, as browsers open PDFs: `#page=3`.
 */
export async function readPdf(bytes: Uint8Array, place: Place): Promise<Document | LeftOut> {
  const pdf = await openPdf(bytes)
  if ("leftOut" in pdf) return pdf
  const text = pdf.pages.flatMap(({ lines }) => lines.map((line) => line.text)).join("")
  if (text.length < leastCharacters * pdf.pages.length) return { leftOut: "scanned" }
  const letters = text.slice(0, judgedCharacters).replace(/[^\p{L}\p{N}\p{P}\p{Z}]/gu, "").length
  if (letters < leastLetters * Math.min(text.length, judgedCharacters))
    return { leftOut: "scanned", detail: detail("reading.unnamedLetters") }
  const joined = lineJoiner(pdf.pages)
  const running = withoutRunningLines(pdf.pages, bodyStyle(pdf.pages))
  const body = bodyStyle(running)
  const { pages, notes } = withNotes(withoutContents(running), body, joined)
  const textOf = (lines: readonly string[]) => withNotesInBrackets(joined(lines), notes)
  const items = toFlow(pageBlocks(pages, body), body, textOf, place)
  if ("leftOut" in items) return items
  const document = toDocument(items, place, { title: pdf.title, format: "pdf" })
  if ("leftOut" in document || pdf.wordless.length === 0) return document
  const sheets = { reason: "scanned", text: `p. ${pdf.wordless.slice(0, 50).join(", ")}` } as const
  return { ...document, html: { leftOut: [sheets], doubtful: [], otherTitle: null } }
}

/** A scanner or a stamp leaves fewer on each page. */
const leastCharacters = 15
/** Fonts that do not name their letters give signs instead, such as those of a decorative font. */
const leastLetters = 0.6
const judgedCharacters = 20_000

function toFlow(
  blocks: PageBlock[],
  body: Body,
  textOf: (lines: readonly string[]) => string,
  place: Place,
): FlowItem[] | LeftOut {
  const headingLevel = headingLevels(blocks, body)
  const byPage = new Map<number, string[]>()
  for (const block of blocks) {
    const parts = byPage.getOrInsert(block.page, [])
    if ("rows" in block) parts.push(tableHtml(block.rows.map((row) => row.map((cell) => textOf([cell])))))
    else parts.push(paragraphHtml(block, textOf(block.lines.map(({ text }) => text)), headingLevel(block)))
  }
  const items: FlowItem[] = []
  for (const [page, parts] of byPage) {
    const pageItems = htmlItems(withLists(parts), place)
    if ("leftOut" in pageItems) return pageItems
    for (const item of pageItems) items.push({ ...item, anchor: `page=${page}` })
  }
  return items
}

function tableHtml(rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => `<td>${Bun.escapeHTML(cell)}</td>`).join("")
  return `<table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</table>`
}

function paragraphHtml({ mark, lines }: Paragraph, text: string, level: number | undefined): string {
  if (level) return `<h${level}>${Bun.escapeHTML(text)}</h${level}>`
  if (!mark) return `<p>${Bun.escapeHTML(text)}</p>`
  const number = mark === "number" ? ` value="${Number.parseInt(lines[0]?.text ?? "", 10) || 1}"` : ""
  return `<li${number}>${Bun.escapeHTML(withoutMark(text))}</li>`
}

/** Items that follow each other are one list. */
function withLists(parts: string[]): string {
  const listKind = (part: string | undefined) =>
    part?.startsWith("<li>") ? "ul" : part?.startsWith("<li") ? "ol" : undefined
  return parts
    .map((part, at) => {
      const kind = listKind(part)
      if (!kind) return part
      const start = kind === "ol" ? ` start="${/"(\d+)"/.exec(part)?.[1]}"` : ""
      const opening = listKind(parts[at - 1]) === kind ? "" : `<${kind}${start}>`
      return opening + part + (listKind(parts[at + 1]) === kind ? "" : `</${kind}>`)
    })
    .join("\n")
}

const maxLevels = 5
/** A line of other letters than the text's, alone and without the end of a sentence. */
const plainHeading = { characters: 100, lines: 2 }

function headingLevels(blocks: PageBlock[], body: Body): (block: Paragraph) => number | undefined {
  const fontSize = ({ lines }: Paragraph) => Math.max(...lines.map(({ size }) => size))
  const isLarge = (block: PageBlock): block is Paragraph =>
    "lines" in block &&
    fontSize(block) > body.size * headingRatio &&
    block.lines.some(({ text }) => /\p{L}/u.test(text))
  const sizes = [...new Set(blocks.filter(isLarge).map(fontSize))].sort((one, other) => other - one)
  const levels = new Map(sizes.map((size, at) => [size, Math.min(at + 1, maxLevels)]))
  return (block) => {
    if (isLarge(block)) return levels.get(fontSize(block))
    return isPlainHeading(block, body) ? Math.min(sizes.length + 1, maxLevels + 1) : undefined
  }
}

function isPlainHeading({ lines, mark }: Paragraph, body: Body): boolean {
  const text = lines.map((line) => line.text).join(" ")
  return (
    mark !== "bullet" &&
    lines.length <= plainHeading.lines &&
    text.length <= plainHeading.characters &&
    lines.every(({ font, size }) => font !== undefined && font !== body.font && size >= body.size) &&
    /^[\p{Lu}\d]/u.test(text) &&
    /\p{L}{3}/u.test(text) &&
    !/[.,;:!…»]$/.test(text)
  )
}
