import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { LRUCache } from "lru-cache"
import type { Language } from "../../accounts/project.ts"
import { openSemaphore } from "../../base/async.ts"
import { sha256 } from "../../base/hash.ts"
import { fold } from "../../base/text.ts"
import { perDatabase } from "../../db/batch.ts"
import type { Db } from "../../db/connection.ts"
import { analyse } from "../../index/text/analyse.ts"

export interface DatedQuestion {
  question: string
  askedAt: number
  /** How often it was asked in these very words; once when absent. */
  times?: number
}

/** Questions that ask for the same thing in different words. */
export interface QuestionGroup<Asked extends DatedQuestion = DatedQuestion> {
  /** The most frequent phrasing. */
  question: string
  times: number
  lastAt: number
  /** The other phrasings, most frequent first. */
  others: string[]
  /** All of them, in the order in which they were given. */
  asked: Asked[]
}

/** Least similarity within a group: Dice's coefficient over terms, weighted so that rare terms count more. */
const minSimilarity = 0.5
/** Only the first terms of a longer question are compared. */
const maxTerms = 50
/** Questions processed in one tick of the event loop: of a thousand characters, each takes up to 4 ms. */
const batchSize = 4
/** The same where terms are only counted: of 50 terms, each takes 50 µs. */
const countedAtOnce = 200

/**
 * Groups as `groupQuestions` does, one project at a time, and remembers the groups: the same questions are grouped
 * once for all callers.
 */
export async function groupQuestionsOnce<Asked extends DatedQuestion>(
  db: Db,
  asked: readonly Asked[],
  language: Language,
): Promise<QuestionGroup<Asked>[]> {
  const { remembered, line } = groupCache(db)
  const dated = asked.map(({ question, askedAt, times = 1 }, at) => ({ question, askedAt, times, at }))
  const key = sha256(JSON.stringify([language, dated]))
  const groups = remembered.get(key) ?? line.run(() => groupQuestions(dated, language))
  remembered.set(key, groups)
  groups.catch(() => remembered.delete(key))
  return (await groups).map((group) => ({ ...group, asked: group.asked.map(({ at }) => asked[at] as Asked) }))
}

const maxRemembered = 20

const groupCache = perDatabase((_: Db) => ({
  remembered: new LRUCache<string, Promise<QuestionGroup<DatedQuestion & { at: number }>[]>>({
    max: maxRemembered,
  }),
  line: openSemaphore(1),
}))

/**
 * Groups questions by the words they share, the largest group first. A single pass: each phrasing joins the
 * most similar group or starts its own. Frequent phrasings come first, so that groups form around them.
 */
export async function groupQuestions<Asked extends DatedQuestion>(
  asked: readonly Asked[],
  language: Language,
): Promise<QuestionGroup<Asked>[]> {
  const phrasings = await mergePhrasings(asked, language)
  const weight = await termWeights(phrasings)
  const groups: Group<Asked>[] = []
  /** For each term, the indexes of the groups whose first phrasing has it. */
  const groupsWith = new Map<string, number[]>()
  for (const [at, phrasing] of phrasings.entries()) {
    if (at % batchSize === 0) await yieldToEventLoop()
    const totalWeight = sum(phrasing.terms, weight)
    const [group, similarity] = mostSimilar(phrasing, totalWeight, groups, groupsWith, weight)
    if (group && similarity >= minSimilarity) {
      group.phrasings.push(phrasing)
      continue
    }
    for (const term of phrasing.terms) groupsWith.getOrInsert(term, []).push(groups.length)
    groups.push({ totalWeight, phrasings: [phrasing] })
  }
  return groups
    .map(({ phrasings }) => ({
      question: (phrasings[0] as Phrasing<Asked>).question,
      times: phrasings.reduce((sum, { times }) => sum + times, 0),
      lastAt: Math.max(...phrasings.map(({ lastAt }) => lastAt)),
      others: phrasings.slice(1).map(({ question }) => question),
      asked: phrasings.flatMap(({ asked }) => asked),
    }))
    .sort((one, other) => other.times - one.times || other.lastAt - one.lastAt)
}

interface Group<Asked> {
  /** Summed weight of the first phrasing's terms. */
  totalWeight: number
  /** Further phrasings are compared with the first one only. */
  phrasings: Phrasing<Asked>[]
}

interface Phrasing<Asked> {
  question: string
  terms: ReadonlySet<string>
  times: number
  lastAt: number
  asked: Asked[]
}

/** Merges questions of the same terms, whatever the order, case or inflection. Most frequent first. */
async function mergePhrasings<Asked extends DatedQuestion>(
  asked: readonly Asked[],
  language: Language,
): Promise<Phrasing<Asked>[]> {
  const phrasings = new Map<string, Phrasing<Asked>>()
  for (const [at, each] of asked.entries()) {
    const { question, askedAt, times = 1 } = each
    if (at % batchSize === 0) await yieldToEventLoop()
    const terms = new Set([...new Set(analyse(question, language))].slice(0, maxTerms))
    // Without a term, the letters alone count: « Et vous ? » is asked as « et vous » is.
    const letters = () => fold(question).match(/[\p{L}\p{N}]+/gu) ?? []
    const key = [...(terms.size > 0 ? terms : letters())].sort().join(" ")
    const phrasing = phrasings.get(key)
    if (!phrasing) phrasings.set(key, { question, terms, times, lastAt: askedAt, asked: [each] })
    else {
      phrasing.times += times
      phrasing.asked.push(each)
      phrasing.lastAt = Math.max(phrasing.lastAt, askedAt)
    }
  }
  return [...phrasings.values()].sort((one, other) => other.times - one.times)
}

/** Inverse document frequency. */
async function termWeights(
  phrasings: readonly Pick<Phrasing<unknown>, "terms">[],
): Promise<(term: string) => number> {
  const frequency = new Map<string, number>()
  for (const [at, { terms }] of phrasings.entries()) {
    if (at % countedAtOnce === 0) await yieldToEventLoop()
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  }
  return (term) => Math.log(1 + phrasings.length / (frequency.get(term) ?? 1))
}

/** The most similar group, the earliest of equals. */
function mostSimilar<Asked>(
  { terms }: Phrasing<Asked>,
  totalWeight: number,
  groups: readonly Group<Asked>[],
  groupsWith: ReadonlyMap<string, readonly number[]>,
  weight: (term: string) => number,
): [group: Group<Asked> | undefined, similarity: number] {
  const sharedWeight = new Float64Array(groups.length)
  for (const term of terms) {
    const termWeight = weight(term)
    for (const index of groupsWith.get(term) ?? [])
      sharedWeight[index] = (sharedWeight[index] as number) + termWeight
  }
  let best: Group<Asked> | undefined
  let highest = 0
  for (const [index, group] of groups.entries()) {
    const similarity = (2 * (sharedWeight[index] as number)) / (totalWeight + group.totalWeight)
    if (similarity <= highest) continue
    best = group
    highest = similarity
  }
  return [best, highest]
}

function sum(terms: Iterable<string>, weight: (term: string) => number): number {
  let total = 0
  for (const term of terms) total += weight(term)
  return total
}
