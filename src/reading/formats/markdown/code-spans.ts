/**
 * Replaces the matches of a global pattern outside code spans. The pattern also has to match runs of
 * backticks, because they begin the code spans.
 */
export function replaceOutsideCode(
  line: string,
  pattern: RegExp,
  replacement: (found: string, groups: RegExpExecArray) => string,
): string {
  let text = ""
  let from = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    if (found[0].startsWith("`")) pattern.lastIndex = endOfCode(line, found.index, pattern.lastIndex)
    else {
      text += line.slice(from, found.index) + replacement(found[0], found)
      from = pattern.lastIndex
    }
  }
  return text + line.slice(from)
}

/**
 * The end of the code span that opens with the run of backticks from `start` to `end`. The next run closes
 * it, with at most as many backticks; without a next run there is no code span.
 */
function endOfCode(line: string, start: number, end: number): number {
  const next = line.indexOf("`", end)
  if (next === -1) return end
  let after = next
  while (after - next < end - start && line[after] === "`") after++
  return after
}
