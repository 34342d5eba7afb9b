/**
 * Text and code in turn, beginning with text: code is a closed fence or a closed span. undefined when a fence
 * is left open.
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
 * Where code begins and ends. By hand: a regular expression looks for the end of each fence and each pair of
 * backticks anew, as far as the end of the text where there is none.
 */
function* codeRanges(markdown: string): Generator<Range> {
  const lines = markdown.split("\n")
  const closing = lines.flatMap((line, at) => (/^```\s*$/.test(line) ? [at] : []))
  let next = 0
  let offset = 0
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    // Between the two lines of a fence stands another one at least.
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
 * `code` ends at the next run of backticks, if that is one alone; ``code`` with the next run of two or more.
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
      // A longer run is its own beginning, content and end.
      if (at === lastLong) continue
      do end++
      while (!isLong(end))
    }
    const last = runs[end] as (typeof runs)[number]
    yield { from: offset + index, to: offset + last.index + last.length }
    at = end
  }
}
