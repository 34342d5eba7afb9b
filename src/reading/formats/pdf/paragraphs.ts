import { type Line, mostFrequent, type Page } from "./lines.ts"
import { type Table, withTables } from "./tables.ts"
import { joinTables } from "./tables-over-pages.ts"

/** A paragraph, an item of a list or a heading, with the page that it begins on. */
export interface Paragraph {
  page: number
  lines: Line[]
  /** The mark before the text of a list's item. */
  mark?: "bullet" | "number"
}

export type PageBlock = Paragraph | (Table & { page: number })

/** The look of most of a document's text. */
export interface Body {
  size: number
  font: string | undefined
  /** From one baseline to the next, in sizes of letters. */
  pitch: number
}

export function bodyStyle(pages: readonly Page[]): Body {
  const sizes = new Map<number, number>()
  const fonts = new Map<string | undefined, number>()
  const pitches = new Map<number, number>()
  const add = <Key>(sums: Map<Key, number>, key: Key, count: number) =>
    sums.set(key, (sums.get(key) ?? 0) + count)
  for (const { lines } of pages) for (const line of lines) add(sizes, line.size, line.text.length)
  const size = mostFrequent(sizes) ?? 10
  for (const { lines } of pages)
    for (const [at, line] of lines.entries()) {
      if (line.size !== size) continue
      add(fonts, line.font, line.text.length)
      const next = lines[at + 1]
      const pitch = next ? Math.round(((next.y - line.y) / size) * 10) / 10 : 0
      if (next?.size === size && pitch >= 0.8 && pitch <= 3) add(pitches, pitch, 1)
    }
  fonts.delete(undefined)
  return { size, font: mostFrequent(fonts), pitch: mostFrequent(pitches) ?? 1.2 }
}

const bullet = /^[•‣◦▪▫●○■□◆❖➢➤✓✔\uf0b7\uf0a7\uf0d8\uf076·–—*-]\s+(?=\S)/
const itemNumber = /^\d{1,2}[.)]\s+(?=\p{L})/u

/** Paragraphs and tables in reading order. A sentence that a page or a column cuts is one paragraph. */
export function pageBlocks(pages: readonly Page[], body: Body): PageBlock[] {
  const blocks: PageBlock[] = []
  const partsOfPages = pages.map(({ lines }) => withTables(lines))
  joinTables(partsOfPages)
  for (const [index, { number: page }] of pages.entries()) {
    const parts = partsOfPages[index] as (Line | Table)[]
    const edges = textEdges(parts)
    let above: Line | undefined
    for (const [at, part] of parts.entries()) {
      if ("rows" in part) {
        blocks.push({ ...part, page })
        above = undefined
        continue
      }
      const last = blocks.at(-1)
      const before = last && "lines" in last ? last.lines.at(-1) : undefined
      if (
        last &&
        "lines" in last &&
        before &&
        goesOn(last, before, part, above === before, edges[at] as Edges, body)
      )
        last.lines.push(part)
      else blocks.push({ page, lines: [part], ...itemMark(part, body) })
      above = part
    }
  }
  return blocks
}

/** How far the lines around a line reach: those of its column. */
interface Edges {
  left: number
  right: number
}

function textEdges(parts: readonly (Line | Table)[]): (Edges | undefined)[] {
  const edges: (Edges | undefined)[] = []
  let column: Edges | undefined
  let above: Line | undefined
  for (const [at, part] of parts.entries()) {
    if ("rows" in part) {
      edges.push(undefined)
      continue
    }
    const isBelow =
      above &&
      column &&
      part.y > above.y &&
      part.x0 < column.right &&
      part.x1 > column.left &&
      Math.abs(part.size - above.size) <= 0.6 &&
      !becomesNarrow(parts.slice(at, at + 4), column)
    if (!isBelow || !column) column = { left: part.x0, right: part.x1 }
    column.left = Math.min(column.left, part.x0)
    column.right = Math.max(column.right, part.x1)
    edges.push(column)
    above = part
  }
  return edges
}

/** Whether lines of one length, much shorter than those above, begin a column. */
function becomesNarrow(parts: readonly (Line | Table)[], { left, right }: Edges): boolean {
  const ends = parts.flatMap((part) => ("rows" in part ? [] : [part.x1]))
  const end = Math.max(...ends)
  const width = end - left
  return width < 0.62 * (right - left) && ends.filter((x1) => end - x1 <= 0.15 * width).length >= 3
}

/** `isOnPage`: it follows `before` on one page. */
function goesOn(
  { lines, mark }: Paragraph,
  before: Line,
  line: Line,
  isOnPage: boolean,
  { left, right }: Edges,
  body: Body,
): boolean {
  const { size } = before
  if (Math.abs(line.size - size) > 0.6) return false
  const isHeading = size > body.size * headingRatio
  const distance = line.y - before.y
  if (isOnPage && distance > 0) {
    if (isHeading) return distance <= 1.7 * size && !isSetAnew(before, line)
    if (distance > body.pitch * size * 1.3 && distance > 1.5 * size) return false
    const next = itemMark(line, body).mark
    if (next === "bullet" || (next && (mark || /[.!?…:;]$/.test(before.text)))) return false
    if (line.font !== before.font && line.font && before.font && lines.length === 1 && !mark) return false
    if (endsByHyphen(before.text)) return true
    const indent = line.x0 - left
    const isIndented = indent > 0.8 * size && indent < 4 * size
    if (isIndented && !mark && before.x0 - left < 0.3 * size) return false
    return !isShort(before, line, right) || isBesideBox(lines, line)
  }
  if (isHeading || itemMark(line, body).mark) return false
  return endsByHyphen(before.text) || (!/[.!?…:;»)]$/.test(before.text) && /^\p{Ll}/u.test(line.text))
}

/** A heading at the margin below a centred title of its size is another one. */
function isSetAnew(before: Line, line: Line): boolean {
  const isApart = (one: number, other: number) => Math.abs(one - other) > line.size
  return (
    line.x0 < before.x0 - line.size &&
    isApart(line.x1, before.x1) &&
    isApart(line.x0 + line.x1, before.x0 + before.x1)
  )
}

/** Larger letters than these times the body's are a heading. */
export const headingRatio = 1.07

/** Whether the first word of the next line would have had room: then the line was ended there by its author. */
function isShort(before: Line, next: Line, right: number): boolean {
  const word = (next.text.split(" ", 1)[0] as string).length
  const width = (next.x1 - next.x0) / Math.max(1, next.text.length)
  return before.x1 + width * (word + 1) < right - before.size / 2
}

/** Lines of one length beside a box or a picture, in which a sentence goes on, end where it begins. */
function isBesideBox(lines: readonly Line[], next: Line): boolean {
  const before = lines.at(-1) as Line
  const above = lines.at(-2)
  const width = before.x1 - before.x0
  const isSameLength = [above, next].some((line) => line && Math.abs(line.x1 - before.x1) < width * 0.15)
  return (
    isSameLength &&
    width > 20 * before.size * 0.4 &&
    !/[.!?…:;]$/.test(before.text) &&
    /^\p{Ll}/u.test(next.text)
  )
}

function itemMark({ text, size }: Line, body: Body): Pick<Paragraph, "mark"> {
  if (size > body.size * headingRatio) return {}
  if (bullet.test(text)) return { mark: "bullet" }
  return itemNumber.test(text) ? { mark: "number" } : {}
}

export function withoutMark(text: string): string {
  return text.replace(bullet, "").replace(itemNumber, "")
}

export function endsByHyphen(text: string): boolean {
  return /\p{L}[-\u00ad\u2010]$/u.test(text)
}
