import { analyse } from "./analyse.ts"
import { type Decision, decide } from "./decide.ts"
import type { PassageIndex, RankedPassage, WeightedTerms } from "./lance.ts"
import { contextWeight, readQuestion } from "./question.ts"
import { type Signals, signalsOf } from "./signals.ts"

export interface Wanted {
  question: string
  /** Earlier questions of the conversation with their answers, oldest first. */
  previous: { question: string; answer: string }[]
  /** Path of the page the visitor has open. */
  page: string | undefined
}

export interface Retrieval {
  /** Best first. */
  ranked: RankedPassage[]
  signals: Signals
  decision: Decision
}

/**
 * The passages that may answer a question, at most `limit`, and whether they are taken to. Earlier questions help to find
 * passages; the decision still asks for the words of this one.
 */
export async function retrieve(
  index: PassageIndex,
  wanted: Wanted,
  limit = rankedPassages,
): Promise<Retrieval> {
  const question = readQuestion(wanted, index.language, index)
  const ranked = await index.search(wantedTerms(index, wanted), limit)
  const signals = signalsOf(question, ranked, index.language, index.passages)
  // Decided before the visitor's page is favoured: where somebody stands does not make a documentation answer.
  return { ranked: favour(ranked, wanted.page), signals, decision: decide(signals) }
}

/** An answer takes one to three of them. */
const rankedPassages = 10
/** What a score is multiplied by when the visitor has the passage's page open. */
const pageFactor = 1.1

function wantedTerms(index: PassageIndex, { question, previous }: Wanted): WeightedTerms[] {
  const terms = (text: string) => [...new Set(analyse(text, index.language))]
  const own = terms(question)
  const context = terms(previous.map((turn) => turn.question).join("\n"))
  return [
    { terms: own, weight: 1 },
    { terms: context.filter((term) => !own.includes(term)), weight: contextWeight },
  ]
}

function favour(ranked: RankedPassage[], page: string | undefined): RankedPassage[] {
  if (page === undefined) return ranked
  const open = normalisedPath(page)
  return ranked
    .map(({ passage, score }) => ({
      passage,
      score: normalisedPath(URL.parse(passage.url)?.pathname ?? "") === open ? score * pageFactor : score,
    }))
    .sort((one, other) => other.score - one.score)
}

/** `/guide/`, `/guide/index.html`, `/guide.html?x#y` and `/guide` are one page. */
export function normalisedPath(path: string): string {
  const plain = path.split(/[?#]/)[0] as string
  return decoded(plain).replace(/(?:\/index)?(?:\.html?)?\/*$/i, "") || "/"
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
