import type { Line, Page } from "./lines.ts"

/** Lines at the top and the bottom of a page that may be a running head or foot. */
const outerLines = 3
/** Pages that must say it at one place. */
const leastPages = { few: 2, many: 3 }
/** Up to as many pages are few. */
const fewPages = 5

const pageNumber =
  /^(?:[-–—|] ?)?(?:page |page|p\. ?)?(?:\d{1,4}|[ivxlc]{1,7})(?: ?(?:\/|sur|of|de) ?\d{1,4})?(?: ?[-–—|])?$/i

/** The pages without running heads and feet and without their numbers. */
export function withoutRunningLines(pages: readonly Page[]): Page[] {
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const key of new Set(outer(page).flatMap((line) => lineKeys(line, page))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = pages.length <= fewPages ? leastPages.few : leastPages.many
  return pages.map((page) => {
    const dropped = new Set(
      outer(page).filter(
        (line) =>
          (pages.length > 1 && isOutermost(line, page) && pageNumber.test(line.text)) ||
          lineKeys(line, page).some((key) => (counts.get(key) ?? 0) >= least),
      ),
    )
    return { ...page, lines: page.lines.filter((line) => !dropped.has(line)) }
  })
}

function outer({ lines, height }: Page): Line[] {
  const sorted = lines.toSorted((one, other) => one.y - other.y)
  const ends = [...sorted.slice(0, outerLines), ...sorted.slice(outerLines).slice(-outerLines)]
  return ends.filter(({ y, text }) => (y < height * 0.14 || y > height * 0.86) && text.length <= 200)
}

function isOutermost(line: Line, { lines }: Page): boolean {
  return lines.every(({ y }) => y <= line.y) || lines.every(({ y }) => y >= line.y)
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
