import { type HeadingIndex, heading, parent, title } from "../../index/lance/heading-index.ts"
import type { Standing } from "../retrieval/standing.ts"
import type { MatchedWord } from "./query.ts"

/** A page whose title or sections match. */
export interface RankedPage {
  page: number
  score: number
  /** Entries of its sections, best first. */
  sections: number[]
}

export interface RankedHeadings {
  /** Pages that have every word, best first. */
  whole: RankedPage[]
  /** Pages whose headings have most of the words. */
  partial: RankedPage[]
}

/** Counts of a word where it stands. A word of the page's title counts for its sections, too. */
const inHeading = 0.9
const inParent = 0.5
const inTitleOfSection = 0.6
/** Part of the score that a title gets for having no other words. */
const forCoverage = 0.25
const forOptional = 0.02
/** Count of a synonym of several words: that of other forms of a word. */
const ofPhrase = 0.9
/** Least share of the words, by their weight, of a page that lacks some. */
const minShare = 0.5
const maxSections = 4

/** Ranks pages by their titles and headings, at most `limit` of each kind. */
export function rankHeadings(
  index: HeadingIndex,
  words: readonly MatchedWord[],
  standing: Standing,
  limit: number,
): RankedHeadings {
  const { entries, pages } = index
  const sums = new Float32Array(entries)
  const own = new Uint8Array(entries)
  const counts = new Uint8Array(entries)
  const best = { own: new Float32Array(entries), above: new Float32Array(entries) }
  let total = 0
  let required = 0
  for (const [at, word] of words.entries()) {
    if (at > 0) best.own.fill(0)
    if (at > 0) best.above.fill(0)
    const matches = spread(index, word, best)
    const weight = word.isOptional ? forOptional : Math.log(2 + entries / (1 + matches))
    if (!word.isOptional) {
      total += weight
      required++
    }
    for (let entry = 0; entry < entries; entry++) {
      const page = pages[entry] as number
      const ofOwn = best.own[entry] as number
      const value =
        page === entry
          ? ofOwn
          : Math.max(
              ofOwn * inHeading,
              (best.above[entry] as number) * inParent,
              (best.own[page] as number) * inTitleOfSection,
            )
      if (value === 0) continue
      sums[entry] = (sums[entry] as number) + weight * value
      if (word.isOptional) continue
      counts[entry] = (counts[entry] as number) + 1
      if (ofOwn > 0) own[entry] = (own[entry] as number) + 1
    }
  }
  const whole = new Map<number, RankedPage & { scores: number[] }>()
  const partial: typeof whole = new Map()
  for (let entry = 0; entry < entries; entry++) {
    const count = counts[entry] as number
    if (count === 0 || own[entry] === 0) continue
    const share = (sums[entry] as number) / total
    const isWhole = count === required
    if (!isWhole && (whole.size > 0 || share < minShare)) continue
    const covered = Math.min(1, (own[entry] as number) / (index.lengths[entry] || 1))
    const page = pages[entry] as number
    const score = share * (1 - forCoverage + forCoverage * covered) * standing(index.kinds.get(page) ?? {})
    note(isWhole ? whole : partial, page, entry, score)
  }
  return { whole: bestPages(whole, limit), partial: bestPages(partial, limit) }
}

/** Writes how well each entry matches a word; returns how many places match. */
function spread(
  index: HeadingIndex,
  { matches, phrases }: MatchedWord,
  best: { own: Float32Array; above: Float32Array },
): number {
  const { firsts, places } = index
  let found = 0
  for (const phrase of phrases)
    for (const entry of withEach(index, phrase)) {
      best.own[entry] = ofPhrase
      found++
    }
  for (const [word, quality] of matches) {
    const end = firsts[word + 1] as number
    for (let at = firsts[word] as number; at < end; at++) {
      const place = places[at] as number
      const entry = place >>> 2
      const field = place & 3
      if (field === title || field === heading) best.own[entry] = Math.max(best.own[entry] as number, quality)
      else if (field === parent) best.above[entry] = Math.max(best.above[entry] as number, quality)
      found++
    }
  }
  return found
}

/** Entries with a form of each of these words in their own text. */
function withEach({ firsts, places }: HeadingIndex, phrase: MatchedWord["phrases"][number]): Set<number> {
  const [first = new Set<number>(), ...others] = phrase.map((forms) => {
    const entries = new Set<number>()
    for (const word of forms)
      for (let at = firsts[word] as number; at < (firsts[word + 1] as number); at++)
        if (((places[at] as number) & 3) !== parent) entries.add((places[at] as number) >>> 2)
    return entries
  })
  return others.reduce((all, entries) => all.intersection(entries), first)
}

function note(
  pages: Map<number, RankedPage & { scores: number[] }>,
  page: number,
  entry: number,
  score: number,
): void {
  const held = pages.getOrInsertComputed(page, () => ({ page, score: 0, sections: [], scores: [] }))
  held.score = Math.max(held.score, score)
  if (entry === page) return
  const at = held.scores.findIndex((other) => other < score)
  held.scores.splice(at < 0 ? held.scores.length : at, 0, score)
  held.sections.splice(at < 0 ? held.sections.length : at, 0, entry)
  held.scores.length = Math.min(held.scores.length, maxSections)
  held.sections.length = held.scores.length
}

/** Best first; of equals, the page that the site lists first. */
function bestPages(pages: Map<number, RankedPage>, limit: number): RankedPage[] {
  return [...pages.values()]
    .sort((one, other) => other.score - one.score || one.page - other.page)
    .slice(0, limit)
}
