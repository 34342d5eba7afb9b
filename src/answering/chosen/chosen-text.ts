/** Fenced blocks, then code spans. One capturing group, so that `split` gives text and code in turn. */
const code =
  /((?<![^\n]) {0,3}```[\s\S]*?\n {0,3}```|(?<![^\n]) {0,3}~~~[\s\S]*?\n {0,3}~~~|``[^`]*``|`[^`]*`)/

const marker = / ?\[\^(\d{1,3})\]/g

/** Numbers of the markers `[^n]` of a Markdown text, in order; those in code are none. */
export function markersIn(markdown: string): number[] {
  return markdown
    .split(code)
    .filter((_, at) => at % 2 === 0)
    .flatMap((text) => [...text.matchAll(marker)].map(([, n]) => Number(n)))
}

/** Whether code holds what a reader would take for a marker. */
export function hasMarkerInCode(markdown: string): boolean {
  return markdown.split(code).some((part, at) => at % 2 === 1 && /\[\^\d+\]/.test(part))
}

interface Citable {
  title: string
  section: string | null
  url: string
}

/** Markdown with its sources, numbered by first use (specification, part 2 A2). */
export interface CitedText {
  answer: string
  sources: (Citable & { n: number })[]
}

/**
 * Numbers the sources by their first marker and leaves out the `undefined` ones, with their markers. A source
 * without a marker stands at the end. Undefined when no source is left.
 */
export function citedText(markdown: string, sources: readonly (Citable | undefined)[]) {
  const numbers = new Map<number, number>()
  const cited: CitedText["sources"] = []
  const markerNumber = (place: number): number | undefined => {
    const source = sources[place - 1]
    if (!source) return undefined
    const earlier = numbers.get(place) ?? cited.find(({ url }) => url === source.url)?.n
    const n = earlier ?? cited.push({ n: cited.length + 1, ...source })
    numbers.set(place, n)
    return n
  }
  const text = markdown
    .trim()
    .split(code)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(marker, (found, written: string) => {
            const n = markerNumber(Number(written))
            return n === undefined ? "" : `${found.startsWith(" ") ? " " : ""}[^${n}]`
          }),
    )
    .join("")
  const before = cited.length
  for (const place of sources.keys()) markerNumber(place + 1)
  const unmarked = cited.slice(before).map(({ n }) => `[^${n}]`)
  if (cited.length === 0) return undefined
  if (unmarked.length === 0) return { answer: text, sources: cited }
  // A marker on the last line of a code block or a table would be swallowed by it.
  const endsInBlock = /^\s*(```|~~~|\|)|^( {4}|\t)/.test(text.split("\n").at(-1) as string)
  return { answer: `${text}${endsInBlock ? "\n\n" : " "}${unmarked.join("")}`, sources: cited }
}
