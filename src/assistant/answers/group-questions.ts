import type { Language } from "../../workspaces/project.ts"
import { analyse } from "../retrieval/analyse.ts"

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

/** Two questions are alike when they share this part of what their words say (Dice's coefficient): rare words say more. */
const alike = 0.5

/**
 * Groups questions by the words they share, the largest group first. One pass: each joins the group it is most like, or begins
 * its own; the most frequent phrasings come first, so that groups form around them.
 */
export function groupQuestions(asked: readonly Asked[], language: Language): QuestionGroup[] {
  const phrasings = phrasingsOf(asked, language)
  const weight = weights(phrasings)
  const groups: Group[] = []
  const groupsWith = new Map<string, Group[]>()
  for (const phrasing of phrasings) {
    const total = sum(phrasing.terms, weight)
    const [group, likeness] = nearest(phrasing, total, groupsWith, weight)
    if (group && likeness >= alike) {
      group.phrasings.push(phrasing)
      continue
    }
    const begun = { place: groups.length, total, phrasings: [phrasing] }
    groups.push(begun)
    for (const term of phrasing.terms) {
      const known = groupsWith.get(term)
      if (known) known.push(begun)
      else groupsWith.set(term, [begun])
    }
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
  place: number
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
function phrasingsOf(asked: readonly Asked[], language: Language): Phrasing[] {
  const found = new Map<string, Phrasing>()
  for (const { question, askedAt } of asked) {
    const terms = new Set(analyse(question, language))
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
  groupsWith: ReadonlyMap<string, readonly Group[]>,
  weight: (term: string) => number,
): [group: Group | undefined, likeness: number] {
  const shared = new Map<Group, number>()
  for (const term of terms)
    for (const group of groupsWith.get(term) ?? []) shared.set(group, (shared.get(group) ?? 0) + weight(term))
  let best: Group | undefined
  let most = 0
  for (const [group, sharedWeight] of shared) {
    const likeness = (2 * sharedWeight) / (total + group.total)
    if (likeness < most || (likeness === most && best && best.place < group.place)) continue
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
