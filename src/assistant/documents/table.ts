import { type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import type { Clutter } from "./clutter.ts"
import { guarded, prose } from "./prose.ts"
import { isHeading, topmost } from "./tree.ts"

/** Tables also hold pages together and number the lines of code. */
export function isLayout(table: Element): boolean {
  return (
    table.attribs["role"] === "presentation" ||
    DomUtils.findOne(
      (element) => element.name === "pre" || element.name === "table" || isHeading(element),
      table.children,
    ) !== null
  )
}

/** Characters that tables of a page may still say again, in cells over several rows. */
export interface Repeats {
  left: number
}

/** What cells over several rows may say again on one page. */
export const mostRepeated = 1_000_000

export function table(element: Element, clutter: Clutter, repeats: Repeats): string {
  const [head, ...body] = rowsOf(element, clutter, repeats).filter((row) => row.some((cell) => cell !== ""))
  if (!head) return ""
  const width = body.reduce((widest, row) => Math.max(widest, row.length), head.length)
  const caption = DomUtils.getElementsByTagName("caption", element.children)[0]
  const said = caption && !clutter(caption) ? guarded(prose(caption.children, clutter)) : ""
  return [
    ...(said ? [said, ""] : []),
    line(head, width),
    `|${" --- |".repeat(width)}`,
    ...body.map((row) => line(row, Math.min(width, mostFilled))),
  ].join("\n")
}

/**
 * Rows are filled up to so many columns: below one very wide row, thousands of short ones would make
 * gigabytes.
 */
const mostFilled = 30

function line(row: string[], columns: number): string {
  const length = Math.max(row.length, columns)
  return `| ${Array.from({ length }, (_, at) => row[at] ?? "").join(" | ")} |`
}

/**
 * Over more rows or columns a cell is not followed, nor one with more text: a hostile page could make
 * gigabytes of a few.
 */
const mostSpanned = { rows: 100, columns: 20, characters: 200 }

/**
 * Each cell in its own column: one over several rows is said in each, one over several columns in the first.
 */
function rowsOf(element: Element, clutter: Clutter, repeats: Repeats): string[][] {
  let above: { text: string; rows: number }[] = []
  return topmost(element.children, ({ name }) => name === "tr").map((row) => {
    const cells: typeof above = []
    const takeAbove = () => {
      for (let cell = above[cells.length]; cell && cell.rows > 1; cell = above[cells.length])
        cells.push({
          text: again(cell.text, repeats),
          rows: cells.length < mostSpanned.columns ? cell.rows - 1 : 1,
        })
    }
    for (const cell of row.children.filter(isTag)) {
      takeAbove()
      const text = prose(cell.children, clutter).replace(/\n+/g, " ").replaceAll("|", "\\|")
      const rows = Math.min(Number(cell.attribs["rowspan"]) || 1, mostSpanned.rows)
      const columns = Math.min(Number(cell.attribs["colspan"]) || 1, mostSpanned.columns)
      for (let column = 0; column < columns; column++) cells.push({ text: column === 0 ? text : "", rows })
    }
    takeAbove()
    above = cells
    return cells.map(({ text }) => text)
  })
}

function again(text: string, repeats: Repeats): string {
  if (text.length > mostSpanned.characters || text.length > repeats.left) return ""
  repeats.left -= text.length
  return text
}
