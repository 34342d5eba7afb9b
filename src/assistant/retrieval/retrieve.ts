import { surenessOf } from "../embedding/embedder.ts"
import type { PassageIndex, RankedPassage, WeightedTerms } from "../index/lance.ts"
import { type Decision, decide } from "./decide.ts"
import { fused } from "./fuse.ts"
import { readQuestion } from "./question.ts"
import { type Signals, signalsOf } from "./signals.ts"

export interface Wanted {
  question: string
  /** Earlier questions of the conversation with their answers, oldest first. */
  previous: { question: string; answer: string }[]
  /** Path of the page the visitor has open. */
  page: string | undefined
  /** The question as one that needs no conversation: looked for beside the question itself. */
  standalone?: string | undefined
  /**
   * What the question means, comparable with the vectors of the index. Without it words alone find passages.
   */
  vector?: Float32Array | undefined
}

export interface Retrieval {
  /** Best first. */
  ranked: RankedPassage[]
  /** What was looked for. */
  terms: WeightedTerms[]
  signals: Signals
  decision: Decision
}

/**
 * The passages that may answer a question, at most `limit`, and whether they are taken to. Earlier questions
 * help to find passages; the decision still asks for the words of this one.
 */
export async function retrieve(
  index: PassageIndex,
  wanted: Wanted,
  limit = rankedPassages,
): Promise<Retrieval> {
  const { standalone, vector } = wanted
  const isFused = vector !== undefined || standalone !== undefined
  // What is far down in one list may be far up in the other.
  const depth = isFused ? Math.max(limit, fusedDepth) : limit
  const own = readQuestion(wanted, index.language, index)
  const forms = [own]
  if (standalone !== undefined)
    forms.push(readQuestion({ question: standalone, previous: [] }, index.language, index))
  const [byMeaning, ...byWords] = await Promise.all([
    vector ? index.nearest(vector, depth) : [],
    ...forms.map(({ terms }) => index.search(terms, depth)),
  ])
  // Decided before the visitor's page is favoured: where somebody stands does not make a documentation
  // answer.
  const cosines = index.embedded ?? { typical: 0, nearness: 1 }
  const nearest = byMeaning[0]?.score ?? -1
  const isNear = nearest >= cosines.nearness
  const judged = forms.map((question, at) => {
    const signals = signalsOf(question, byWords[at] as RankedPassage[], index.language, index.passages)
    return { signals, decision: decide(signals, isNear) }
  })
  const best = judged.reduce((one, other) =>
    other.decision.confidence > one.decision.confidence ? other : one,
  )
  // Meaning counts as far as words are unsure and it is sure.
  const meaning = (1 - best.decision.confidence) * surenessOf(nearest, cosines)
  const lists = [
    ...byWords.map((ranked) => ({ ranked, weight: 1 - meaning, worthless: 0 })),
    { ranked: byMeaning, weight: meaning, worthless: cosines.typical },
  ]
  const ranked = isFused ? fused(lists, limit) : (byWords[0] as RankedPassage[])
  return { ...best, terms: own.terms, ranked: favour(ranked, wanted.page) }
}

/** An answer takes one to three of them. */
const rankedPassages = 10
const fusedDepth = 50
/** What a score is multiplied by when the visitor has the passage's page open. */
const pageFactor = 1.1

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
  return (
    decoded(plain)
      .replace(/(?<!\/)\/+$/, "")
      .replace(/(?:\/index)?(?:\.html?)?$/i, "") || "/"
  )
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
