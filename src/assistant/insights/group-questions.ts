import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Language } from "../../accounts/project.ts"
import { analyse } from "../text/analyse.ts"

interface Asked {
  question: string
  askedAt: number
}

/** Questions that ask for the same thing in other words. */
export interface QuestionGroup {
  /** The way it was most often asked. */
  question: string
  times: number
  lastAt: number
  /** The other ways, most often asked first. */
  others: string[]
}

/**
 * Two questions are alike when they share this part of what their words say (Dice's coefficient): rare words
 * say more.
 */
const alike = 0.5

/** A question of more different words is known by its first ones. */
const mostTerms = 50
/** Questions of which the event loop is left to others once. */
const batchSize = 20

/**
 * Groups questions by the words they share, the largest group first. One pass: each joins the group it is
 * most like, or begins its own; the most frequent phrasings come first, so that groups form around them.
 */
export async function groupQuestions(asked: readonly Asked[], language: Language): Promise<QuestionGroup[]> {
  const phrasings = await phrasingsOf(asked, language)
  const weight = weights(phrasings)
  const groups: Group[] = []
  /** Places of the groups whose first phrasing has the term. */
  const groupsWith = new Map<string, number[]>()
  for (const [at, phrasing] of phrasings.entries()) {
    if (at % batchSize === 0) await yieldToEventLoop()
    const total = sum(phrasing.terms, weight)
    const [group, likeness] = nearest(phrasing, total, groups, groupsWith, weight)
    if (group && likeness >= alike) {
      group.phrasings.push(phrasing)
      continue
    }
    for (const term of phrasing.terms) {
      const known = groupsWith.get(term)
      if (known) known.push(groups.length)
      else groupsWith.set(term, [groups.length])
    }
    groups.push({ total, phrasings: [phrasing] })
  }
  return groups
    .map(({ phrasings }) => ({
      question: (phrasings[0] as Phrasing).question,
      times: phrasings.reduce((sum, { times }) => sum + times, 0),
      lastAt: Math.max(...phrasings.map(({ lastAt }) => lastAt)),
      others: phrasings.slice(1).map(({ question }) => question),
    }))
    .sort((one, other) => other.times - one.times || other.lastAt - one.lastAt)
}

/** What begins with its first phrasing, which others are compared with. */
interface Group {
  /** What the words of its first phrasing weigh. */
  total: number
  phrasings: Phrasing[]
}

interface Phrasing {
  question: string
  terms: ReadonlySet<string>
  times: number
  lastAt: number
}

/** The same words in another order, case or number are the same phrasing. */
async function phrasingsOf(asked: readonly Asked[], language: Language): Promise<Phrasing[]> {
  const found = new Map<string, Phrasing>()
  for (const [at, { question, askedAt }] of asked.entries()) {
    if (at % batchSize === 0) await yieldToEventLoop()
    const terms = new Set([...new Set(analyse(question, language))].slice(0, mostTerms))
    const key = terms.size > 0 ? [...terms].sort().join(" ") : question.toLowerCase()
    const known = found.get(key)
    if (!known) found.set(key, { question, terms, times: 1, lastAt: askedAt })
    else {
      known.times++
      known.lastAt = Math.max(known.lastAt, askedAt)
    }
  }
  return [...found.values()].sort((one, other) => other.times - one.times)
}

function weights(phrasings: readonly Phrasing[]): (term: string) => number {
  const frequency = new Map<string, number>()
  for (const { terms } of phrasings)
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  return (term) => Math.log(1 + phrasings.length / (frequency.get(term) ?? 1))
}

/** The earliest of those most alike; only groups whose first phrasing shares a word are looked at. */
function nearest(
  { terms }: Phrasing,
  total: number,
  groups: readonly Group[],
  groupsWith: ReadonlyMap<string, readonly number[]>,
  weight: (term: string) => number,
): [group: Group | undefined, likeness: number] {
  const shared = new Float64Array(groups.length)
  for (const term of terms) {
    const more = weight(term)
    for (const place of groupsWith.get(term) ?? []) shared[place] = (shared[place] as number) + more
  }
  let best: Group | undefined
  let most = 0
  for (const [place, group] of groups.entries()) {
    const likeness = (2 * (shared[place] as number)) / (total + group.total)
    if (likeness <= most) continue
    best = group
    most = likeness
  }
  return [best, most]
}

function sum(terms: Iterable<string>, weight: (term: string) => number): number {
  let total = 0
  for (const term of terms) total += weight(term)
  return total
}
