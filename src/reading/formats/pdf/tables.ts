import { groupLines, joinPieces, type Line, type Piece } from "./lines.ts"

/** Cells by row and column. */
export interface Table {
  rows: string[][]
  columns: { x0: number; x1: number }[]
}

/** The lines of a page with the tables among them. Where the lines of two columns alternate, each is read down. */
export function withTables(lines: readonly Line[]): (Line | Table)[] {
  const pieces = lines.flatMap((line) => line.pieces)
  const parts: (Line | Table)[] = []
  let waiting: Piece[] = []
  const endLines = () => {
    parts.push(...groupLines(waiting))
    waiting = []
  }
  for (let at = 0; at < pieces.length; ) {
    const grid = gridAt(pieces, at)
    if (!grid) {
      waiting.push(pieces[at++] as Piece)
      continue
    }
    const areColumns = isTwoColumns(grid)
    const head = areColumns ? undefined : tightRow(waiting.splice(lastLine(waiting)), grid)
    waiting.push(...(head && "left" in head ? head.left : []))
    endLines()
    const heads = head && "cells" in head ? [head.cells] : []
    at = grid.next
    if (areColumns) parts.push(...columnLines(grid))
    else parts.push({ rows: [...heads, ...cellTexts(grid)], columns: grid.columns })
  }
  endLines()
  return parts
}

/** Where the last line of the pieces begins. */
function lastLine(pieces: readonly Piece[]): number {
  const last = pieces.at(-1)
  return last ? pieces.findLastIndex(({ y }) => Math.abs(y - last.y) > last.size / 2) + 1 : 0
}

/** A line right above a table, as the row of its heads if its words begin where the columns do; else as it was. */
function tightRow(line: Piece[], { columns, rows }: Grid): { cells: string[] } | { left: Piece[] } {
  const [first] = line
  if (!first || (rows[0]?.top ?? 0) - first.y > 2.5 * first.size) return { left: line }
  const cells = columns.map(() => "")
  for (const { text, x0 } of line.flatMap(({ parts }) => parts)) {
    const at = columns.findLastIndex((column) => column.x0 <= x0 + first.size / 2)
    const isFirst = cells[at] === ""
    if (at < 0 || (isFirst && Math.abs((columns[at]?.x0 ?? 0) - x0) > first.size / 2)) return { left: line }
    cells[at] = isFirst ? text : `${cells[at]} ${text}`
  }
  return cells.includes("") ? { left: line } : { cells }
}

interface Cell {
  x0: number
  x1: number
  /** The baseline of its last line. */
  low: number
  pieces: Piece[]
}

interface Row {
  cells: Cell[]
  top: number
  low: number
  next: number
}

interface Grid {
  rows: Row[]
  columns: { x0: number; x1: number }[]
  next: number
}

/** Space between cells that is a gutter by itself, and one that only many rows make believable; in sizes of letters. */
const gutter = { least: 0.2, few: 1.5 }
/** Baselines of two rows stand at most as far apart. */
const rowPitch = 4.5
/** Lines of one cell, and cells of one row. */
const cellLines = 8
const maxCells = 40

/** Rows of at least two cells below each other, between which white space goes down all of them. */
function gridAt(pieces: readonly Piece[], from: number): Grid | undefined {
  const rows: Row[] = []
  const columns: Grid["columns"] = []
  let next = from
  for (;;) {
    const row = rowAt(pieces, next)
    const above = rows.at(-1)
    if (!row || row.cells.length < 2) break
    const size = row.cells[0]?.pieces[0]?.size ?? 0
    if (above && (row.top <= above.top || row.top - above.low > rowPitch * size)) break
    if (!join(columns, row, gutter.least * size)) break
    rows.push(row)
    next = row.next
  }
  if (rows.length < 2) return undefined
  const size = pieces[from]?.size ?? 0
  const isSmall = rows.length === 2 && columns.length === 2
  const narrowest = Math.min(...columns.slice(1).map(({ x0 }, at) => x0 - (columns[at]?.x1 ?? 0)))
  return isSmall && narrowest < gutter.few * size ? undefined : { rows, columns, next }
}

/** The cells that begin at a piece and stand beside each other; in the file, each follows with all of its lines. */
function rowAt(pieces: readonly Piece[], from: number): Row | undefined {
  const first = pieces[from]
  if (!first) return undefined
  const cells: Cell[] = [{ x0: first.x0, x1: first.x1, low: first.y, pieces: [first] }]
  let top = first.y
  let low = first.y
  let at = from + 1
  for (; at < pieces.length; at++) {
    const piece = pieces[at] as Piece
    const cell = cells.at(-1) as Cell
    const before = cells.at(-2)
    const tolerance = piece.size / 2
    if (
      cells.length < maxCells &&
      isRightFrom(piece, cell) &&
      piece.y >= top - 3 * piece.size &&
      piece.y <= low + tolerance
    ) {
      cells.push({ x0: piece.x0, x1: piece.x1, low: piece.y, pieces: [piece] })
    } else if (
      isBelow(piece, cell) &&
      (before ? piece.x0 >= before.x1 : isBesideLater(pieces, at, cell, first.y))
    ) {
      extend(cell, piece)
    } else break
    top = Math.min(top, piece.y)
    low = Math.max(low, piece.y)
  }
  return { cells, top, low, next: at }
}

function isRightFrom(piece: Piece, cell: Cell): boolean {
  return piece.x0 >= cell.x1 + gutter.least * piece.size
}

/** Whether it is the next line of the cell. */
function isBelow(piece: Piece, cell: Cell): boolean {
  const distance = piece.y - cell.low
  return (
    cell.pieces.length < cellLines &&
    distance > piece.size / 2 &&
    distance <= (isSentenceCut(cell.pieces.at(-1), piece) ? 2.6 : 1.7) * piece.size &&
    piece.x0 < cell.x1 &&
    piece.x1 > cell.x0
  )
}

function isSentenceCut(before: Piece | undefined, piece: Piece): boolean {
  return before !== undefined && /[\p{L},’'-]$/u.test(before.text) && /^\p{Ll}/u.test(piece.text)
}

/** Whether lines of a row's first cell go on at `at`, because another cell follows beside them. */
function isBesideLater(pieces: readonly Piece[], at: number, cell: Cell, top: number): boolean {
  const lines: Cell = { ...cell, pieces: [...cell.pieces] }
  for (let next = at; next < pieces.length; next++) {
    const piece = pieces[next] as Piece
    if (isRightFrom(piece, lines))
      return piece.y >= top - piece.size / 2 && piece.y <= lines.low - piece.size / 2
    if (!isBelow(piece, lines)) return false
    extend(lines, piece)
  }
  return false
}

function extend(cell: Cell, piece: Piece): void {
  cell.pieces.push(piece)
  cell.low = piece.y
  cell.x0 = Math.min(cell.x0, piece.x0)
  cell.x1 = Math.max(cell.x1, piece.x1)
}

/**
 * Puts each cell of the row into the column that it stands in, or adds one for it; cells of a whole row go by their
 * order, since heads are often centred. False when the cells stand across the columns.
 */
function join(columns: Grid["columns"], { cells }: Row, least: number): boolean {
  return [placed(columns, cells, least), inOrder(columns, cells)].some((wider) => {
    const isApart = wider?.every((column, at) => at === 0 || column.x0 - (wider[at - 1]?.x1 ?? 0) >= least)
    if (wider && wider.length > maxCells) return false
    if (wider && isApart) columns.splice(0, columns.length, ...wider)
    return isApart
  })
}

function inOrder(columns: Grid["columns"], cells: Cell[]): Grid["columns"] | undefined {
  if (columns.length !== cells.length) return undefined
  return columns.map(({ x0, x1 }, at) => ({
    x0: Math.min(x0, cells[at]?.x0 ?? x0),
    x1: Math.max(x1, cells[at]?.x1 ?? x1),
  }))
}

function placed(columns: Grid["columns"], cells: Cell[], least: number): Grid["columns"] | undefined {
  const wider = columns.map((column) => ({ ...column }))
  let from = 0
  for (const { x0, x1 } of cells) {
    const at = wider.findIndex(
      (column, index) => index >= from && x0 < column.x1 + least && x1 > column.x0 - least,
    )
    const place = at >= 0 ? at : wider.findLastIndex((column) => column.x1 < x0) + 1
    if (place < from) return undefined
    const column = wider[at] ?? { x0, x1 }
    if (at < 0) wider.splice(place, 0, column)
    column.x0 = Math.min(column.x0, x0)
    column.x1 = Math.max(column.x1, x1)
    from = place + 1
  }
  // A row of other cells than those above it, each in a place of its own, is no row of their table.
  return columns.length > 0 && wider.length === columns.length + cells.length ? undefined : wider
}

function cellTexts({ rows, columns }: Grid): string[][] {
  return rows.map(({ cells }) =>
    columns.map(({ x0, x1 }) =>
      cells
        .filter((cell) => cell.x0 < x1 && cell.x1 > x0)
        .flatMap(({ pieces }) => pieces.map(({ text }) => text))
        .join(" "),
    ),
  )
}

/** Lines of text rather than cells: long, and going on below without the end of a sentence. */
const columnText = { rows: 4, characters: 25, goOn: 0.6 }

function isTwoColumns({ rows, columns }: Grid): boolean {
  const texts = rows.flatMap(({ cells }) => cells.map(({ pieces }) => pieces[0]?.text ?? ""))
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  const goOn = texts.filter((text) => /[\p{L},’'-]$/u.test(text)).length
  return (
    columns.length === 2 &&
    rows.length >= columnText.rows &&
    rows.every(({ cells }) => cells.every(({ pieces }) => pieces.length === 1)) &&
    characters >= columnText.characters * texts.length &&
    goOn >= columnText.goOn * texts.length
  )
}

function columnLines({ rows, columns }: Grid): Line[] {
  return columns.flatMap(({ x0, x1 }) =>
    rows.flatMap(({ cells }) =>
      cells.filter((cell) => cell.x0 < x1 && cell.x1 > x0).map(({ pieces }) => joinPieces(pieces)),
    ),
  )
}
