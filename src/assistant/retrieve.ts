import { analyse } from "./analyse.ts"
import { type Decision, decide } from "./decide.ts"
import type { Passage } from "./document.ts"
import type { Hit, PassageIndex } from "./lance.ts"
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

export interface RankedPassage {
  passage: Passage
  score: number
}

/** The passages that may answer a question, and whether they are taken to. */
export async function retrieve(index: PassageIndex, wanted: Wanted): Promise<Retrieval> {
  const hits = await search(index, wanted)
  const passages = await index.read(hits)
  const ranked = hits.map((hit, place) => ({ passage: passages[place] as Passage, score: hit.score }))
  const signals = signalsOf(wanted.question, index.language, index, ranked[0])
  // Decided before the visitor's page is favoured: where somebody stands does not make a documentation answer.
  return { ranked: favour(ranked, wanted.page), signals, decision: decide(signals) }
}

/** Passages that are read and ranked; an answer takes one to three of them. */
const rankedPassages = 10
const candidates = 100
/** What the words of earlier questions count beside those of the question itself. */
const contextWeight = 0.5
/** What a score is multiplied by when the visitor has the passage's page open. */
const pageFactor = 1.1

async function search(index: PassageIndex, { question, previous }: Wanted): Promise<Hit[]> {
  const [own, context] = await Promise.all(
    [question, previous.map((turn) => turn.question).join("\n")].map((text) =>
      index.search([...new Set(analyse(text, index.language))], candidates),
    ),
  )
  const scores = new Map((own ?? []).map((hit) => [hit.row, hit]))
  for (const hit of context ?? []) {
    const score = contextWeight * hit.score + (scores.get(hit.row)?.score ?? 0)
    scores.set(hit.row, { ...hit, score })
  }
  return [...scores.values()].sort((one, other) => other.score - one.score).slice(0, rankedPassages)
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
