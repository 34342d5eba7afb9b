/**
 * Splits Markdown into alternating text and code, beginning with text. Code is a closed fence or a closed
 * code span. undefined when a fence is left open.
 */
export function codeParts(markdown: string): { text: string; isCode: boolean }[] | undefined {
  const parts: { text: string; isCode: boolean }[] = []
  let end = 0
  for (const { from, to } of codeRanges(markdown)) {
    parts.push({ text: markdown.slice(end, from), isCode: false })
    parts.push({ text: markdown.slice(from, to), isCode: true })
    end = to
  }
  parts.push({ text: markdown.slice(end), isCode: false })
  const isOpen = parts.some(({ text, isCode }) => !isCode && openFence.test(text))
  return isOpen ? undefined : parts
}

const openFence = /^[^\S\n\r\u2028\u2029]*(?:```|~~~)/m

interface Range {
  from: number
  to: number
}

/**
 * Offsets of the pieces of code. Written without a regular expression: that would search for the end of every
 * fence and span up to the end of the text, which is quadratic.
 */
function* codeRanges(markdown: string): Generator<Range> {
  const lines = markdown.split("\n")
  const closing = lines.flatMap((line, at) => (/^```\s*$/.test(line) ? [at] : []))
  let next = 0
  let offset = 0
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    // At least one line stands between the opening and the closing line of a fence.
    while (next < closing.length && (closing[next] as number) < at + 2) next++
    const last = /^```[^`]*$/.test(line) ? closing[next] : undefined
    if (last === undefined) yield* spans(line, offset)
    else {
      const from = offset
      for (; at < last; at++) offset += (lines[at] as string).length + 1
      yield { from, to: offset + "```".length }
    }
    offset += (lines[at] as string).length + 1
  }
}

/**
 * Code spans of a line. One that opens with a single backtick closes only if the next run is single too; one
 * that opens with two to four closes at the next run of two or more.
 */
function* spans(line: string, offset: number): Generator<Range> {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ index, length: ticks.length }))
  const isLong = (at: number) => (runs[at]?.length ?? 0) > 1
  const lastLong = runs.findLastIndex((_, at) => isLong(at))
  for (let at = 0; at < runs.length; at++) {
    const { index, length } = runs[at] as (typeof runs)[number]
    let end = at
    if (length === 1) {
      end++
      if (runs[end]?.length !== 1) continue
    } else if (length < "`````".length) {
      // A run of five or more is a span by itself.
      if (at === lastLong) continue
      do end++
      while (!isLong(end))
    }
    const last = runs[end] as (typeof runs)[number]
    yield { from: offset + index, to: offset + last.index + last.length }
    at = end
  }
}
