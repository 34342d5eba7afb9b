import type { Area } from "./painted-areas.ts"

/** A text of a page as its PDF places it, in points from the page's upper left corner. */
export interface Run {
  text: string
  x: number
  /** Height of its baseline. */
  y: number
  width: number
  size: number
  font: string
  /** Spaces that are letters of their own, and others that are white alone. */
  spaces: { drawn: number; white: number }
}

/** Runs beside each other: the words of a line, or of one cell of a table. */
export interface Piece {
  text: string
  x0: number
  x1: number
  y: number
  /** The size of most of its characters. */
  size: number
  /** Undefined where it changes. */
  font: string | undefined
  /** Its words where wider spaces separate them: cells of a tight table. */
  parts: Part[]
}

export interface Part {
  text: string
  x0: number
  x1: number
}

/** Pieces on one baseline, one after the other in the file. */
export interface Line extends Omit<Piece, "parts"> {
  pieces: Piece[]
}

export interface Page {
  number: number
  height: number
  lines: Line[]
}

/** A wider gap may separate two cells; justified words stand closer, or are joined again as one line. */
const cellGap = 0.9
/** A narrower one separates words of one cell, and of one line that is not justified. */
const partGap = 0.4
/** Where words have drawn spaces between them, a wide gap that has none separates cells. */
const bareGap = 0.2
/** Words of one line stand apart by the same; in sizes of letters. */
const sameGap = 0.12
/** A narrower one separates letters of one word. */
const wordGap = 0.18

/** The pieces of a page in the order of its file, which is that of reading for every maker that was tried. */
export function joinRuns(runs: readonly Run[], dots: readonly Area[] = []): Piece[] {
  const pieces: Piece[] = []
  const drawsSpaces = areDrawn(runs)
  const gaps = new Map<Piece, number>()
  let current: (Piece & { characters: Map<number, number> }) | undefined
  let spaced = false
  for (const run of runs) {
    const text = plain(run.text)
    if (text.trim() === "") {
      spaced ||= text !== ""
      continue
    }
    const gap = current ? run.x - current.x1 : 0
    const isMark = current !== undefined && isRaised(current, run)
    const isNext = current && (isBeside(current, run) || isMark) && gap > -current.size / 2
    const mostGap = drawsSpaces && !spaced ? bareGap : cellGap
    if (current && isNext && gap <= mostGap * current.size) {
      const space = (spaced || gap > wordGap * current.size) && !current.text.endsWith(" ") ? " " : ""
      const word = isMark ? raised(text, current, run) : text
      const added = space + (space ? word.trimStart() : word)
      current.text += added
      const part = current.parts.at(-1)
      if (part && gap < partGap * current.size)
        Object.assign(part, { text: part.text + added, x1: run.x + run.width })
      else current.parts.push({ text: text.trim(), x0: run.x, x1: run.x + run.width })
      current.x1 = Math.max(current.x1, run.x + run.width)
      if (current.font !== run.font) current.font = undefined
    } else {
      const { x, y, width, size, font } = run
      const isSpaced = isNext && (spaced || !drawsSpaces)
      current = {
        text,
        x0: x,
        x1: x + width,
        y,
        size,
        font,
        parts: [{ text, x0: x, x1: x + width }],
        characters: new Map(),
      }
      pieces.push(current)
      if (isSpaced) gaps.set(current, gap / size)
    }
    const size = Math.round(run.size * 2) / 2
    current.characters.set(size, (current.characters.get(size) ?? 0) + text.length)
    current.size = mostFrequent(current.characters) ?? size
    spaced = /\s$/.test(text)
  }
  return withBullets(
    withDrawnBullets(justified(pieces, gaps), dots).map(({ text, x0, x1, y, size, font, parts }) => ({
      parts,
      text: withoutLeaders(text).replace(/\s+/g, " ").trim(),
      x0,
      x1,
      y,
      size,
      font,
    })),
  )
}

function areDrawn(runs: readonly Run[]): boolean {
  let [drawn, white] = [0, 0]
  for (const { spaces } of runs) {
    drawn += spaces.drawn
    white += spaces.white
  }
  return drawn > 3 * white
}

/** Single words of a line that stand apart by the same are no cells: the line was drawn out to its column's width. */
function justified<Any extends Piece>(pieces: Any[], gaps: ReadonlyMap<Piece, number>): Any[] {
  const joined: Any[] = []
  for (let at = 0; at < pieces.length; ) {
    const words = [pieces[at++] as Any]
    const first = gaps.get(pieces[at] as Any)
    while (first !== undefined && Math.abs((gaps.get(pieces[at] as Any) ?? -1) - first) <= sameGap)
      words.push(pieces[at++] as Any)
    const isLine =
      words.length > 2 &&
      words.every(({ text }) => /^[^\s\d]+$/.test(text.trim())) &&
      new Set(words.map(({ x0, x1 }) => Math.round(x1 - x0))).size > 1 &&
      isDrawnOut(words, [...joined.slice(-near), ...pieces.slice(at, at + near)])
    if (!isLine) joined.push(...words)
    else {
      const last = words.at(-1) as Any
      joined.push({ ...(words[0] as Any), x1: last.x1, text: words.map(({ text }) => text.trim()).join(" ") })
    }
  }
  return joined
}

/** How far the lines around a line are looked for. */
const near = 12

/** Whether a line close by has several words and the same ends: heads of columns have the cells below them. */
function isDrawnOut(words: readonly Piece[], around: readonly Piece[]): boolean {
  const [first, last] = [words[0] as Piece, words.at(-1) as Piece]
  const width = last.x1 - first.x0
  return around.some(
    ({ text, x0, x1, y }) =>
      y !== first.y &&
      Math.abs(y - first.y) < first.size * 4 &&
      Math.abs(x1 - last.x1) < first.size * 0.2 &&
      x1 - x0 > width * 0.8 &&
      /\S\s+\S/.test(text),
  )
}

/** Dots that lead the eye from a name to its number. */
function withoutLeaders(text: string): string {
  return text.replace(/(?:\.[ \u00a0]?){4,}/g, " … ")
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

/** A small raised number, which is the mark of a note or a power: « m² », « fournie¹ ». */
function raised(text: string, piece: Piece, run: Run): string {
  const isAbove = piece.y - run.y > 0.15 * piece.size
  if (!isAbove || !/^\s*\d{1,3}\s*$/.test(text)) return text
  return text.trim().replace(/\d/g, (digit) => superscripts[Number(digit)] as string)
}

const onlyMark = /^(?:[•‣◦▪▫●○■□◆❖➢➤✓✔\uf0b7\uf0a7\uf0d8\uf076·–—*-]|\d{1,2}[.)])$/

/** Puts the mark of a list's item before its text: some makers place it as a cell, or draw all marks of a page last. */
function withBullets(pieces: Piece[]): Piece[] {
  const marks = pieces.filter(({ text }) => onlyMark.test(text)).slice(0, maxMarks)
  const marked = new Map<Piece, Piece>()
  for (const mark of marks) {
    let nearest: Piece | undefined
    for (const piece of pieces) {
      const isCandidate =
        piece.x0 > mark.x0 && !marks.includes(piece) && isBeside(piece, { ...mark, x: mark.x0 })
      if (isCandidate && (!nearest || piece.x0 < nearest.x0)) nearest = piece
    }
    if (nearest && nearest.x0 - mark.x1 < maxMarkGap * nearest.size) marked.set(nearest, mark)
  }
  const used = new Set(marked.values())
  return pieces
    .filter((piece) => !used.has(piece))
    .map((piece) => {
      const mark = marked.get(piece)
      return mark ? { ...piece, text: `${mark.text} ${piece.text}`, x0: mark.x0 } : piece
    })
}

/** A dot alone before the first words of a line is the mark of an item. More than any list has are a drawing. */
function withDrawnBullets<Any extends Piece>(pieces: Any[], dots: readonly Area[]): Any[] {
  if (dots.length === 0 || dots.length > maxMarks) return pieces
  const marked = new Map<Any, Area>()
  for (const dot of dots) {
    const middle = (dot.y0 + dot.y1) / 2
    const beside = pieces.filter(({ y, size }) => Math.abs(y - 0.3 * size - middle) <= 0.25 * size)
    const next = beside
      .filter(({ x0, size }) => x0 >= dot.x1 && x0 - dot.x1 < 2 * size)
      .sort((one, other) => one.x0 - other.x0)[0]
    if (!next || dot.y1 - dot.y0 > 0.7 * next.size) continue
    const isNear = ({ x0, x1 }: { x0: number; x1: number }) =>
      x1 > dot.x0 - maxMarkGap * next.size && x0 < dot.x0
    const isInRow = dots.some((other) => other !== dot && Math.abs(other.y0 - dot.y0) < 1 && isNear(other))
    if (!isInRow && !beside.some(isNear)) marked.set(next, dot)
  }
  return pieces.map((piece) => {
    const dot = marked.get(piece)
    return dot ? { ...piece, text: `• ${piece.text}`, x0: dot.x0 } : piece
  })
}

/** Marks of one page: each is compared with every piece. */
const maxMarks = 200
/** Between a mark and its text, in sizes of letters. */
const maxMarkGap = 4

/** Joins the pieces of each line. */
export function groupLines(pieces: readonly Piece[]): Line[] {
  const lines: Piece[][] = []
  for (const piece of pieces) {
    const line = lines.at(-1)
    const last = line?.at(-1)
    if (last && isBeside(last, { ...piece, x: piece.x0 }) && piece.x0 >= last.x1 - last.size / 2)
      line?.push(piece)
    else lines.push([piece])
  }
  return lines.map(joinPieces)
}

export function joinPieces(pieces: Piece[]): Line {
  const [first] = pieces as [Piece]
  const longest = pieces.reduce((one, other) => (other.text.length > one.text.length ? other : one))
  return {
    pieces,
    text: pieces.map(({ text }) => text).join(" "),
    x0: first.x0,
    x1: Math.max(...pieces.map(({ x1 }) => x1)),
    y: first.y,
    size: longest.size,
    font: pieces.every(({ font }) => font === first.font) ? first.font : undefined,
  }
}

/** A superscript or a note's mark. */
function isRaised(piece: Piece, run: Run): boolean {
  return run.size < piece.size * 0.85 && Math.abs(run.y - piece.y) <= 0.75 * piece.size
}

function isBeside(piece: Piece, run: Pick<Run, "x" | "y" | "size">): boolean {
  return Math.abs(run.y - piece.y) <= 0.55 * Math.max(piece.size, run.size)
}

/** The key with the largest sum. */
export function mostFrequent<Key>(sums: ReadonlyMap<Key, number>): Key | undefined {
  let most: [Key, number] | undefined
  for (const entry of sums) if (!most || entry[1] > most[1]) most = entry
  return most?.[0]
}

/** TeX's ligatures (Cork encoding) and bullets as fonts without names of letters leave them. */
const unnamed: Record<string, string> = {
  "\x1b": "ff",
  "\x1c": "fi",
  "\x1d": "fl",
  "\x1e": "ffi",
  "\x1f": "ffl",
  "\x88": "•",
}

/** Control characters say nothing else. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\ufeff\u200b]/gu, (sign) => unnamed[sign] ?? (/[\t\n\r]/.test(sign) ? " " : ""))
    .toWellFormed()
}
