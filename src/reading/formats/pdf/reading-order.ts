import type { Piece } from "./lines.ts"

/** Share of the pieces of a page that stand above the one before them in its file. */
const mostJumps = 0.12
/** A cell of several lines is followed by one that begins beside its first. */
const cellLines = 8

/** Spreadsheets write the cells of a page in an order of their own; all others write a page as it is read. */
export function inReadingOrder(pieces: Piece[]): Piece[] {
  const jumps = pieces.filter((piece, at) => at > 0 && isJump(pieces[at - 1] as Piece, piece)).length
  if (jumps <= mostJumps * pieces.length) return pieces
  const rows: Piece[][] = []
  for (const piece of pieces.toSorted((one, other) => one.y - other.y)) {
    const row = rows.at(-1)
    if (row && piece.y - (row[0] as Piece).y <= piece.size * 0.4) row.push(piece)
    else rows.push([piece])
  }
  return rows.flatMap((row) => row.sort((one, other) => one.x0 - other.x0))
}

function isJump(before: Piece, piece: Piece): boolean {
  const up = before.y - piece.y
  const isNextCell = piece.x0 >= before.x1 && up <= cellLines * 1.5 * piece.size
  return up > piece.size / 2 && !isNextCell
}
