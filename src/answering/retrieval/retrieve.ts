import { ownTick } from "../../base/async.ts"
import { decodedUri } from "../../base/text.ts"
import type { QuestionVector } from "../../index/embedding/embedder.ts"
import {
  byScore,
  type PassageIndex,
  type RankedPassage,
  type WeightedTerms,
} from "../../index/lance/lance.ts"
import { type Decision, decide } from "./decide.ts"
import { meanSpecificity, type Question, type QuestionWord, readQuestion } from "./question.ts"
import { measureRetrieval, noSignals, type Signals } from "./signals.ts"
import { behindOthers, standingFor } from "./standing.ts"

export interface RetrievalRequest {
  question: string
  /** Earlier questions of the conversation with their answers, oldest first. */
  previous: { question: string; answer: string }[]
  /** Path of the page that the visitor has open. */
  page: string | undefined
  /** The question rewritten so that it needs no conversation; searched in addition to the question itself. */
  standalone?: string | undefined
  /** The day of the question, `2026-11-27`, on which older news no longer holds; without it, any does. */
  today?: string | undefined
  /** The question's vector, by the model of the index. Without it, words alone find passages. */
  vector?: QuestionVector | undefined
}

export interface Retrieval {
  /** Best first. */
  ranked: FoundPassage[]
  /** Terms of the question that were searched. */
  terms: WeightedTerms[]
  /** The question's words, each with its weight in this documentation. */
  words: readonly QuestionWord[]
  /** The question as it was asked and, where it was rewritten, as rewritten. */
  forms: readonly Question[]
  /** Cosine with the mean of the documentation's passages; undefined without vectors. */
  belonging: number | undefined
  signals: Signals
  /** By the words of the best passages alone. */
  decision: Decision
}

/** A ranked passage with what its score was made of. */
export interface FoundPassage extends RankedPassage {
  /** BM25 of the question's words; 0 when it shares none. */
  words: number
  /** Cosine with the question; undefined without vectors. */
  meaning: number | undefined
  /**
   * Nearness of each unit of the passage to the question, in reading order: 0 is the documentation's median passage,
   * 1 the nearest one. undefined without vectors, and for passages far down.
   */
  unitNearness?: (number | undefined)[] | undefined
}

/** The retrieval of a text that asks for nothing. */
export const nothingRetrieved: Retrieval = {
  ranked: [],
  terms: [],
  words: [],
  forms: [],
  belonging: undefined,
  signals: noSignals,
  decision: { answerable: false, confidence: 0, isNear: false },
}

/**
 * Finds at most `limit` passages that may answer a question, and decides whether they do. Words and meaning count
 * half each, words less where they hardly tell the documentation's passages apart: BM25 as a share of the question's
 * best, the cosine as a share of the question's best above the median of the documentation. Earlier questions help to
 * find passages; the decision still needs words of the question itself.
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
  await ownTick()
  const own = readQuestion(request, index.language, index, index.synonyms)
  const forms = [own]
  if (standalone !== undefined) {
    await ownTick()
    forms.push(readQuestion({ question: standalone, previous: [] }, index.language, index, index.synonyms))
  }
  const [nearest, ...foundByWords] = await Promise.all([
    vector ? index.nearest(vector.specific, depth) : [],
    ...forms.map(({ terms }) => index.search(terms, depth)),
  ])
  await ownTick()
  const standing = standingFor(request.question, index.language, request.today)
  const byWords = foundByWords.map((list) => behindOthers(list, standing))
  const cosineOf = (row: number | undefined) =>
    vector && row !== undefined ? index.vectors?.cosine(row, vector.own) : undefined
  const isNear = (cosineOf(nearest[0]?.row) ?? -1) >= (index.embedded?.nearness ?? 1)
  // Decided before the open page is boosted: the visitor's place does not make the documentation answer.
  const judged = forms.map((question, at) => {
    const signals = measureRetrieval(question, byWords[at] as RankedPassage[], index.language, index.passages)
    return { signals, decision: decide(signals, isNear) }
  })
  const best = judged.reduce((one, other) =>
    other.decision.confidence > one.decision.confidence ? other : one,
  )
  const meant = vector ? withCosines(index, vector.specific, nearest, byWords.flat()) : []
  const nearestCosine = meant[0]?.score ?? 0
  const median = vector && meant.length > 0 ? (index.vectors?.medianCosine(vector.specific) ?? 0) : 0
  const spread = Math.max(nearestCosine - median, leastSpread)
  const baseline = nearestCosine - spread
  const byMeaning = behindOthers(meant, standing, baseline)
  const wordsWeight = (byMeaning.length > 0 ? 0.5 : 1) / forms.length
  const lists = byWords.map((ranked, at) => ({
    ranked,
    weight: wordsWeight * meanSpecificity((forms[at] as Question).words),
    baseline: 0,
  }))
  if (byMeaning.length > 0) lists.push({ ranked: byMeaning, weight: 0.5, baseline })
  const all = isFused ? fuse(lists, Number.POSITIVE_INFINITY) : (byWords[0] as RankedPassage[])
  const ranked = withoutCopies(all, index.passages).slice(0, limit)
  const wordScores = new Map(byWords.flat().map(({ row, score }) => [row, score]))
  const scored = ranked.map((one, rank) => ({
    ...one,
    words: wordScores.get(one.row) ?? 0,
    meaning: cosineOf(one.row),
    unitNearness:
      vector && rank < quotablePassages
        ? index.vectors
            ?.unitCosines(one.row, vector.specific)
            .map((cosine) => cosine && (cosine - baseline) / spread)
        : undefined,
  }))
  return {
    ...best,
    terms: own.terms,
    words: own.words,
    forms,
    belonging: vector && index.vectors?.meanCosine(vector.own),
    ranked: boostOpenPage(scored, request.page),
  }
}

/**
 * Least distance of the nearest cosine from that of an unrelated passage, which the median is taken for:
 * among a few passages the median is near the question too. Nine in ten questions to more passages exceed it.
 */
const leastSpread = 0.03

/** An answer is quoted from one of the first ten passages. */
export const quotablePassages = 10

/** The nearest passages and the passages found by words, each with its cosine; best first. */
function withCosines(
  { vectors }: PassageIndex,
  vector: Float32Array,
  nearest: readonly RankedPassage[],
  byWords: readonly RankedPassage[],
): RankedPassage[] {
  const all = new Map(nearest.map((one) => [one.row, one]))
  for (const { passage, row } of byWords) {
    const score = all.has(row) ? undefined : vectors?.cosine(row, vector)
    if (score !== undefined) all.set(row, { passage, row, score })
  }
  return [...all.values()].sort(byScore)
}

/** An answer cites one to three passages. */
const defaultLimit = 10
/** Passages of each list that are fused. */
const fusedDepth = 50
/** Multiplies the scores of passages of the open page. */
const openPageBoost = 1.1

function boostOpenPage(ranked: FoundPassage[], page: string | undefined): FoundPassage[] {
  if (page === undefined) return ranked
  const open = normalisedPath(page)
  return ranked
    .map((found) => ({
      ...found,
      score:
        normalisedPath(URL.parse(found.passage.url)?.pathname ?? "") === open
          ? found.score * openPageBoost
          : found.score,
    }))
    .sort((one, other) => other.score - one.score)
}

/** `/guide/`, `/guide/index.html`, `/guide.html?x#y` and `/guide` are one page. */
export function normalisedPath(path: string): string {
  const plain = path.split(/[?#]/)[0] as string
  return (
    decodedUri(plain)
      .replace(/(?<!\/)\/+$/, "")
      .replace(/(?:\/index)?(?:\.html?)?$/i, "") || "/"
  )
}

/** From so many pages on that say the same, and this share of all passages, a text is the site's. */
const siteText = { pages: 4, share: 0.08 }

/**
 * Without the copies of what a site says on many pages, such as opening hours below each text. The copy of
 * lowest score stays: it owes least to title and headings, which are about something else.
 */
function withoutCopies(ranked: readonly RankedPassage[], passages: number): RankedPassage[] {
  const copies = Map.groupBy(ranked, ({ passage }) => passage.markdown)
  return ranked.filter((one) => {
    const same = copies.get(one.passage.markdown) as RankedPassage[]
    const pages = new Set(same.map(({ passage }) => passage.document)).size
    return pages < Math.max(siteText.pages, siteText.share * passages) || one === same.at(-1)
  })
}

interface WeightedList {
  ranked: readonly RankedPassage[]
  weight: number
  /** The score of an unrelated passage, which counts as zero. */
  baseline: number
}

/**
 * Fuses lists whose scores are on different scales. In each list, a passage gets the list's weight × its share
 * of the list's best score; the sum over the lists is its fused score. Unlike a fusion of ranks, this convex
 * combination keeps how far the first passage is ahead of the second.
 */
export function fuse(lists: readonly WeightedList[], limit: number): RankedPassage[] {
  const scores = new Map<string, RankedPassage>()
  for (const { ranked, weight, baseline } of lists) {
    const best = (ranked[0]?.score ?? 0) - baseline
    for (const { passage, row, score } of ranked) {
      const share = best > 0 ? Math.max(0, score - baseline) / best : 0
      const before = scores.get(passage.key)?.score ?? 0
      scores.set(passage.key, { passage, row, score: before + weight * share })
    }
  }
  return [...scores.values()].sort(byScore).slice(0, limit)
}
