import type { Language } from "../../workspaces/project.ts"
import { stopWords } from "./stop-words.ts"
import type { Vocabulary } from "./vocabulary.ts"

/**
 * What a term that the documentation never uses was meant to be: the one that it uses most of those one typing error away; null: a
 * stop word, which means nothing. undefined: nothing is near.
 */
export function meantBy(term: string, language: Language, vocabulary: Vocabulary): string | null | undefined {
  if (!mayBeMistyped.test(term)) return undefined
  const letters = Buffer.from(term)
  let meant: string | undefined
  let mostUsed = 0
  vocabulary.near(letters, (known, frequency) => {
    if (frequency <= mostUsed || !isOneErrorAway(known, letters)) return
    meant = known.toString()
    mostUsed = frequency
  })
  if (meant !== undefined) return meant
  return longStopWords[language].some((word) => isOneErrorAway(word, letters)) ? null : undefined
}

/** Of shorter words too many are one letter apart. */
const mayBeMistyped = /^[a-z]{5,}$/
const longStopWords: Record<Language, readonly Buffer[]> = {
  fr: longOf(stopWords.fr),
  en: longOf(stopWords.en),
}

function longOf(words: ReadonlySet<string>): Buffer[] {
  return [...words].filter((word) => mayBeMistyped.test(word)).map((word) => Buffer.from(word))
}

/** At most one letter too many, missing or wrong, or two that changed places; the first is seldom wrong. */
function isOneErrorAway(one: Buffer, other: Buffer): boolean {
  if (one[0] !== other[0]) return false
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one]
  let at = 1
  while (at < shorter.length && longer[at] === shorter[at]) at++
  const isSameFrom = (place: number, otherPlace: number) =>
    longer.subarray(place).equals(shorter.subarray(otherPlace))
  if (longer.length > shorter.length) return isSameFrom(at + 1, at)
  const isSwapped = longer[at] === shorter[at + 1] && longer[at + 1] === shorter[at]
  return isSameFrom(at + 1, at + 1) || (isSwapped && isSameFrom(at + 2, at + 2))
}
