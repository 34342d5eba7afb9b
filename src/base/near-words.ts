/** A word of a list, with the typing errors that lie between. */
export interface NearWord {
  at: number
  errors: number
}

/**
 * The words of a list that differ from `typed` by at most `maxErrors` letters added, left out, replaced or
 * swapped with their neighbour (optimal string alignment). With `isBeginning`, those whose beginning does. Words of
 * a sorted list that begin alike share their rows of the calculation, and a beginning that is too far away ends all of
 * them, so that a list of fifty thousand takes a millisecond or two.
 */
export function nearWords(
  typed: string,
  words: readonly string[],
  maxErrors: number,
  isBeginning: boolean,
): NearWord[] {
  const maxDepth = typed.length + maxErrors
  const rows: Uint8Array[] = [Uint8Array.from({ length: typed.length + 1 }, (_, at) => at)]
  /** Least errors of all beginnings up to a length. */
  const least: number[] = [typed.length]
  const near: NearWord[] = []
  /** The word whose rows are there, how many, and from which of them on it is too far away. */
  let [before, depth, farFrom] = ["", 0, Number.POSITIVE_INFINITY]
  for (const [at, word] of words.entries()) {
    const shared = sharedLength(before, word)
    if (shared < farFrom) {
      farFrom = Number.POSITIVE_INFINITY
      before = word
      depth = Math.min(shared, depth)
      while (depth < Math.min(word.length, maxDepth) && farFrom > depth) {
        depth++
        const row = nextRow(rows, depth, word, typed)
        least[depth] = Math.min(least[depth - 1] as number, row[typed.length] as number)
        if (Math.min(...row) > maxErrors) farFrom = depth
      }
    }
    const isWhole = farFrom > depth && depth === word.length
    const errors = isBeginning ? least[depth] : isWhole ? rows[depth]?.[typed.length] : undefined
    if (errors !== undefined && errors <= maxErrors) near.push({ at, errors })
  }
  return near
}

function sharedLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

/** Fills and returns the row of the word's first `depth` letters. */
function nextRow(rows: Uint8Array[], depth: number, word: string, typed: string): Uint8Array {
  const width = typed.length + 1
  rows[depth] ??= new Uint8Array(width)
  const [before, above, row] = [rows[depth - 2], rows[depth - 1], rows[depth]] as [
    Uint8Array | undefined,
    Uint8Array,
    Uint8Array,
  ]
  const letter = word[depth - 1]
  row[0] = depth
  for (let at = 1; at < width; at++) {
    const isSame = letter === typed[at - 1]
    let errors = Math.min(
      (above[at] as number) + 1,
      (row[at - 1] as number) + 1,
      (above[at - 1] as number) + (isSame ? 0 : 1),
    )
    const isSwapped = before && at > 1 && letter === typed[at - 2] && word[depth - 2] === typed[at - 1]
    if (isSwapped) errors = Math.min(errors, (before[at - 2] as number) + 1)
    row[at] = errors
  }
  return row
}

/** The name of a list that is typed most like `typed`; undefined where none is near enough to be meant. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3))
  const possible = names.filter((name) => Math.abs(name.length - typed.length) <= most)
  const near = nearWords(typed, possible, most, false)
  return possible[near.toSorted((one, other) => one.errors - other.errors)[0]?.at ?? -1]
}
