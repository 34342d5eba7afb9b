/** Of the name between `[^` and `]`. */
const longestName = 40

/**
 * A footnote's mark, or what begins like one: `markless` tells. Taken whole, however long, so that it is
 * looked through once.
 */
export const footnoteMark = /\[\^[^\]\s]*(?:\]:?)?/g

/** What was found by `footnoteMark`, without the mark at its end if it is one. */
export function markless(found: string): string {
  const end = found.lastIndexOf("]")
  const start = end === -1 ? -1 : found.indexOf("[^", Math.max(0, end - longestName - 2))
  if (start === -1 || end - start < 3) return found
  const before = found.slice(0, start)
  return before.endsWith("\\") ? before.slice(0, -1) : before
}
