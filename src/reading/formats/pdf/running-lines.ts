import type { Line, Page, Piece } from "./lines.ts"
import type { Body } from "./paragraphs.ts"

/** Lines at the top and the bottom of a page that may be a running head or foot: letterheads have six. */
const outerLines = { near: 3, far: 8 }
/** Where they stand, in heights of the page. */
const margins = { near: 0.14, far: 0.24 }
/** Pages that must say it at one place. */
const leastPages = { few: 2, many: 3 }
/** Up to as many pages are few. */
const fewPages = 5
/** Share of the pages for lines further in, and for places whose words change. */
const mostPages = 0.6

const pageNumber =
  /^(?:[-–—|] ?)?(?:page |page|p\. ?)?(?:\d{1,4}|[ivxlc]{1,7})(?: ?(?:\/|sur|of|de) ?\d{1,4})?(?: ?[-–—|])?$/i

/** The pages without running heads and feet and without their numbers. */
export function withoutRunningLines(pages: readonly Page[], body: Body): Page[] {
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const key of new Set(outer(page, "far").flatMap((line) => lineKeys(line, page))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = pages.length <= fewPages ? leastPages.few : leastPages.many
  const most = Math.max(leastPages.many, pages.length * mostPages)
  const places = runningPlaces(pages, counts, body)
  return pages.map((page) => {
    const near = new Set(outer(page, "near"))
    const isRunningLine = (line: Line) => {
      const [same = 0, ...numbered] = lineKeys(line, page).map((key) => counts.get(key) ?? 0)
      if (!near.has(line)) return same >= most
      return (
        same >= least ||
        (Math.max(...numbered) >= least && isSetApart(line, page, body)) ||
        (pages.length > 1 && isOutermost(line, page) && pageNumber.test(line.text)) ||
        (places.has(placeOf(line)) && isApart(line, page, body))
      )
    }
    const dropped = new Set(
      outer(page, "far").filter((line) => isRunningLine(line) && !isTableHead(line, page)),
    )
    return { ...page, lines: page.lines.filter((line) => !dropped.has(line)) }
  })
}

/** A row of several cells right above another with the same edges, as a spreadsheet repeats its head on every page. */
function isTableHead({ pieces, y, size }: Line, { lines }: Page): boolean {
  const isSameColumn = (one: Piece, other: Piece | undefined) =>
    other !== undefined && (Math.abs(one.x0 - other.x0) < size / 2 || Math.abs(one.x1 - other.x1) < size / 2)
  return (
    pieces.length > 1 &&
    lines.some(
      (next) =>
        next.y > y &&
        next.y - y < 2.5 * size &&
        next.pieces.length === pieces.length &&
        pieces.every((piece, at) => isSameColumn(piece, next.pieces[at])),
    )
  )
}

/** Whether no line of the text's own look stands as close as the next one of a paragraph. */
function isSetApart(line: Line, { lines }: Page, body: Body): boolean {
  return lines.every(
    (other) =>
      other === line ||
      Math.abs(other.y - line.y) > body.pitch * body.size * 1.3 ||
      other.font !== line.font ||
      other.size !== line.size,
  )
}

function outer({ lines, height }: Page, reach: "near" | "far"): Line[] {
  const most = outerLines[reach]
  const margin = margins[reach]
  const sorted = lines.toSorted((one, other) => one.y - other.y)
  const ends = [...sorted.slice(0, most), ...sorted.slice(most).slice(-most)]
  return ends.filter(
    ({ y, text }) => (y < height * margin || y > height * (1 - margin)) && text.length <= 200,
  )
}

function isOutermost(line: Line, { lines }: Page): boolean {
  return lines.every(({ y }) => y <= line.y) || lines.every(({ y }) => y >= line.y)
}

/** The number of a part of the text: « 3. Transports », « Fiche 3 ». */
const ownNumber =
  /^\d{1,3}[.):]|^(?:annexe|article|chapitre|étape|fiche|leçon|module|niveau|partie|question|section)s? /i

/**
 * Places of heads that change by chapter: on most pages a line stands there apart from the text, in letters no larger,
 * and it has the page's number, or its words stand there on other pages too.
 */
function runningPlaces(pages: readonly Page[], counts: ReadonlyMap<string, number>, body: Body): Set<number> {
  const lines = new Map<number, { pages: Set<number>; repeated: number }>()
  for (const page of pages)
    for (const line of outer(page, "near")) {
      if (!isApart(line, page, body)) continue
      const place = lines.getOrInsertComputed(placeOf(line), () => ({ pages: new Set(), repeated: 0 }))
      if (place.pages.has(page.number)) continue
      place.pages.add(page.number)
      const isRepeated = lineKeys(line, page).some((key) => (counts.get(key) ?? 0) >= leastPages.few)
      const hasNumber = line.text.match(/\d+/g)?.includes(String(page.number)) && !ownNumber.test(line.text)
      if (isRepeated || hasNumber) place.repeated++
    }
  const least = Math.max(leastPages.many, pages.length * mostPages)
  return new Set(
    [...lines].flatMap(([place, { pages: on, repeated }]) =>
      on.size >= least && repeated >= on.size / 3 ? [place] : [],
    ),
  )
}

/** At the edge of the page, with more space than between lines of text. */
function isApart(line: Line, { lines }: Page, body: Body): boolean {
  if (line.size > body.size * 1.07 || line.text.length > 120) return false
  const isTop = lines.every(({ y }) => y >= line.y - line.size / 2)
  if (!isTop && !lines.every(({ y }) => y <= line.y + line.size / 2)) return false
  const distances = lines.map(({ y }) => Math.abs(y - line.y)).filter((distance) => distance > line.size / 2)
  return distances.length > 0 && Math.min(...distances) > body.pitch * body.size * 1.4
}

function placeOf({ y }: Line): number {
  return Math.round(y / 4)
}

/**
 * Where it stands and what it says, as it is and with its first or last number told by its distance from the page's:
 * so « Page 3 / 12 » is one text on all pages, and « Chapitre 3 » is not.
 */
function lineKeys({ text, y }: Line, { number }: Page): string[] {
  const place = `${Math.round(y / 4)} `
  const fromPage = (digits: string) => `#${Number(digits) - number}`
  return [text, text.replace(/\d{1,6}/, fromPage), text.replace(/\d{1,6}(?=\D*$)/, fromPage)].map(
    (key) => place + key,
  )
}
