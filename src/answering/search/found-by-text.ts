import { openSemaphore } from "../../base/async.ts"
import { oneLine } from "../../base/text.ts"
import type { PassageIndex, RankedPassage } from "../../index/lance/lance.ts"
import type { WordAlternatives } from "../../index/lance/word-alternatives.ts"
import type { Passage } from "../../reading/formats/document.ts"
import { withoutLinks } from "../../reading/formats/link.ts"
import { behindOthers, type Standing } from "../retrieval/standing.ts"
import type { MarkedText, Marker } from "./marked-text.ts"
import type { MatchedWord } from "./query.ts"

/**
 * Searches of the texts that run at once, of the places that questions have, too: a crowd that types leaves them
 * the others.
 */
const atOnce = openSemaphore(2)
/** Beyond, a search shows what titles alone give. */
const maxWaiting = 20
const maxPassages = 12
/** A passage is shown if its score is at least this share of the best one's. */
const minShare = 0.5
/** How the last word may end. Each costs two searches of the index. */
const maxEndings = 3

/** The passages whose text has the words, best first: what titles do not say. */
export async function findByText(
  index: PassageIndex,
  words: readonly MatchedWord[],
  standing: Standing,
): Promise<RankedPassage[]> {
  if (atOnce.waiting() >= maxWaiting) return []
  const terms: string[] = []
  const wordAlternatives: WordAlternatives[] = []
  for (const { letters, terms: own, isBeginning, synonyms } of words) {
    const inTexts = synonyms ? [] : own.filter((term) => index.frequency(term) > 0)
    const endings = isBeginning ? index.beginningWith(letters, maxEndings) : []
    const possible = [...new Set([...inTexts, ...endings])].slice(0, maxEndings)
    if (!synonyms && (!isBeginning || possible.length < 2)) terms.push(...inTexts, ...endings)
    else {
      const alternatives = possible.map((term) => ({ terms: [term], scale: 1 }))
      wordAlternatives.push({
        term: letters,
        alternatives: [...(synonyms?.alternatives ?? []), ...alternatives],
      })
    }
  }
  if (terms.length + wordAlternatives.length === 0) return []
  const ranked = await atOnce.run(() => index.search([{ terms, wordAlternatives, weight: 1 }], maxPassages))
  const least = (ranked[0]?.score ?? 0) * minShare
  return behindOthers(
    ranked.filter(({ score }) => score >= least),
    standing,
  )
}

const excerptLength = 150
const before = 40
/** Code is never split, and may be megabytes long. */
const maxRead = 8000

/** Some words of a passage around the first that was searched, without its Markdown. */
export function markedExcerpt({ markdown }: Pick<Passage, "markdown">, mark: Marker): MarkedText | null {
  const text = oneLine(
    withoutLinks(markdown.slice(0, maxRead))
      .replace(/\]\([^()\s]*\)/g, "]")
      .replace(/^ *(?:```|~~~).*$/gm, " ")
      .replace(/^[ \t|:-]+$/gm, " ")
      .replace(/[*`|[\]]/g, " "),
    maxRead,
  )
  const [first] = mark(text).marks
  if (!first) return null
  const from = first.from <= before ? 0 : text.indexOf(" ", first.from - before) + 1
  const cut = oneLine(text.slice(Math.min(from, first.from)), excerptLength)
  return mark(from === 0 ? cut : `… ${cut}`)
}
