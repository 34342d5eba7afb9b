import type { Line, Page } from "./lines.ts"

const contentsTitle =
  /^(?:\d+\.? )?(?:table des mati[èe]res|sommaire|table of contents|contents|(?:table|liste) des (?:figures|tableaux|illustrations))$/i
/** An entry ends with the number of its page. */
const entry = /(?:^|\s)(\d{1,4}|[ivxlc]{1,6})$/
/** Dots lead to it. */
const ledEntry = /… ?(\d{1,4}|[ivxlc]{1,6})$/
/** Lines of one entry. */
const maxLines = 3
/** Entries without a title above them. */
const leastEntries = 4

/**
 * The pages without tables of contents, which are none of the text. Their numbers are pages of the document: a list of
 * prices has others.
 */
export function withoutContents(pages: readonly Page[]): Page[] {
  if (pages.length < 2) return [...pages]
  const last = Math.max(...pages.map(({ number }) => number))
  const lines = pages.flatMap((page) => page.lines)
  const dropped = new Set<Line>()
  for (let at = 0; at < lines.length; ) {
    const isTitled = contentsTitle.test((lines[at] as Line).text)
    const end = isTitled
      ? // A sheet may have two pages.
        entriesEnd(lines, at + 1, entry, 2 * last)
      : entriesEnd(lines, at, ledEntry, last)
    const entries = end - at - (isTitled ? 1 : 0)
    if (isTitled ? entries > 1 : entries >= leastEntries) {
      for (const line of lines.slice(at, end)) dropped.add(line)
      at = end
    } else at++
  }
  if (dropped.size === 0) return [...pages]
  return pages.map((page) => ({ ...page, lines: page.lines.filter((line) => !dropped.has(line)) }))
}

/** Where entries end that begin at a line; their pages never go back. */
function entriesEnd(lines: readonly Line[], from: number, mark: RegExp, last: number): number {
  let end = from
  let page = 0
  for (let at = from; at < lines.length && at - end < maxLines; at++) {
    const number = mark.exec((lines[at] as Line).text)?.[1]
    if (number === undefined) continue
    const next = Number(number)
    if (Number.isNaN(next) ? page > 0 : next < page || next > last) break
    page = Number.isNaN(next) ? 0 : next
    end = at + 1
  }
  return end
}
