import { cosineConfidence } from "../embedding/embedder.ts"
import type { PassageIndex, RankedPassage, WeightedTerms } from "../index/lance.ts"
import { type Decision, decide } from "./decide.ts"
import { fuse } from "./fuse.ts"
import { readQuestion } from "./question.ts"
import { type Signals, signalsOf } from "./signals.ts"

export interface RetrievalRequest {
  question: string
  /** Earlier questions of the conversation with their answers, oldest first. */
  previous: { question: string; answer: string }[]
  /** Path of the page that the visitor has open. */
  page: string | undefined
  /** The question rewritten so that it needs no conversation; searched in addition to the question itself. */
  standalone?: string | undefined
  /** The question's vector, by the model of the index. Without it, words alone find passages. */
  vector?: Float32Array | undefined
}

export interface Retrieval {
  /** Best first. */
  ranked: RankedPassage[]
  /** Terms of the question that were searched. */
  terms: WeightedTerms[]
  signals: Signals
  decision: Decision
}

/**
 * Finds at most `limit` passages that may answer a question, and decides whether they do. Earlier questions
 * help to find passages; the decision still needs words of the question itself.
 */
export async function retrieve(
  index: PassageIndex,
  request: RetrievalRequest,
  limit = defaultLimit,
): Promise<Retrieval> {
  const { standalone, vector } = request
  const isFused = vector !== undefined || standalone !== undefined
  // A passage that is far down in one list may be high up in the other.
  const depth = isFused ? Math.max(limit, fusedDepth) : limit
  const own = readQuestion(request, index.language, index, index.synonyms)
  const forms = [own]
  if (standalone !== undefined)
    forms.push(readQuestion({ question: standalone, previous: [] }, index.language, index, index.synonyms))
  const [byVector, ...byWords] = await Promise.all([
    vector ? index.nearest(vector, depth) : [],
    ...forms.map(({ terms }) => index.search(terms, depth)),
  ])
  // Decided before the open page is boosted: the visitor's place does not make the documentation answer.
  const cosines = index.embedded ?? { typical: 0, nearness: 1 }
  const nearest = byVector[0]?.score ?? -1
  const isNear = nearest >= cosines.nearness
  const judged = forms.map((question, at) => {
    const signals = signalsOf(question, byWords[at] as RankedPassage[], index.language, index.passages)
    return { signals, decision: decide(signals, isNear) }
  })
  const best = judged.reduce((one, other) =>
    other.decision.confidence > one.decision.confidence ? other : one,
  )
  // The vectors count more, the less sure the words are and the surer the vectors are.
  const vectorWeight = (1 - best.decision.confidence) * cosineConfidence(nearest, cosines)
  const lists = [
    ...byWords.map((ranked) => ({ ranked, weight: 1 - vectorWeight, baseline: 0 })),
    { ranked: byVector, weight: vectorWeight, baseline: cosines.typical },
  ]
  const ranked = isFused ? fuse(lists, limit) : (byWords[0] as RankedPassage[])
  return { ...best, terms: own.terms, ranked: boostOpenPage(ranked, request.page) }
}

/** An answer cites one to three passages. */
const defaultLimit = 10
/** Passages of each list that are fused. */
const fusedDepth = 50
/** Multiplies the scores of passages of the open page. */
export const openPageBoost = 1.1

function boostOpenPage(ranked: RankedPassage[], page: string | undefined): RankedPassage[] {
  if (page === undefined) return ranked
  const open = normalisedPath(page)
  return ranked
    .map(({ passage, score }) => ({
      passage,
      score: normalisedPath(URL.parse(passage.url)?.pathname ?? "") === open ? score * openPageBoost : score,
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
