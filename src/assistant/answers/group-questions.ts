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
  const groups: Phrasing[][] = []
  for (const phrasing of phrasings) {
    const [group, likeness] = nearest(groups, phrasing, weight)
    if (group && likeness >= alike) group.push(phrasing)
    else groups.push([phrasing])
  }
  return groups
    .map((group) => ({
      question: (group[0] as Phrasing).question,
      times: group.reduce((sum, { times }) => sum + times, 0),
      lastAt: Math.max(...group.map(({ lastAt }) => lastAt)),
      others: group.slice(1).map(({ question }) => question),
    }))
    .sort((one, other) => other.times - one.times || other.lastAt - one.lastAt)
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

function nearest(
  groups: readonly Phrasing[][],
  { terms }: Phrasing,
  weight: (term: string) => number,
): [group: Phrasing[] | undefined, likeness: number] {
  let best: [Phrasing[] | undefined, number] = [undefined, 0]
  for (const group of groups) {
    const first = group[0] as Phrasing
    const shared = [...terms].filter((term) => first.terms.has(term))
    const likeness =
      shared.length === 0 ? 0 : (2 * sum(shared, weight)) / (sum(terms, weight) + sum(first.terms, weight))
    if (likeness > best[1]) best = [group, likeness]
  }
  return best
}

function sum(terms: Iterable<string>, weight: (term: string) => number): number {
  let total = 0
  for (const term of terms) total += weight(term)
  return total
}
