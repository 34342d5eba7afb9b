import type { Block, Cell, Table } from "../paragraphs.ts"
import { child, isElement, type XmlElement } from "../xml.ts"
import { isSet, value } from "./styles.ts"

/** Wider cells are narrowed: a table of Word has 63 columns. */
const maxColumns = 63

/** A table whose merged cells stand once, with the rows and columns that they span. */
export function readTable(table: XmlElement, read: (cell: XmlElement) => Block[]): Table {
  /** By column: the cell that goes on downwards. */
  let above = new Map<number, Cell>()
  const rows = inside(table, "w:tr").map((row) => {
    const properties = child(row, "w:trPr")
    if (child(properties, "w:del") || isSet(properties, "w:hidden")) return []
    const cells: Cell[] = []
    const openCells = new Map<number, Cell>()
    let column = Math.min(maxColumns, Number(value(properties, "w:gridBefore")) || 0)
    if (column > 0) cells.push({ blocks: [], columns: column, rows: 1 })
    for (const element of inside(row, "w:tc")) {
      const own = child(element, "w:tcPr")
      const columns = Math.min(maxColumns, Math.max(1, Number(value(own, "w:gridSpan")) || 1))
      const merge = child(own, "w:vMerge")
      const from = merge && merge.attributes["w:val"] !== "restart" ? above.get(column) : undefined
      const cell = from ?? { blocks: read(element), columns, rows: 0 }
      cell.rows++
      if (!from) cells.push(cell)
      if (merge) openCells.set(column, cell)
      column += columns
    }
    above = openCells
    return cells
  })
  return { rows }
}

/** Rows or cells, also those that a control or a tracked change holds. */
function inside(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter(isElement).flatMap((node) => {
    if (node.name === name) return [node]
    return /^w:(?:sdt|sdtContent|customXml|ins|moveTo)$/.test(node.name) ? inside(node, name) : []
  })
}
