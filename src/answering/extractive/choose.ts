import { LRUCache } from "lru-cache"
import { isNewer } from "../retrieval/newer-document.ts"
import type { Match } from "../retrieval/quote-signals.ts"
import { type Candidate, type CandidateUnit, type QuestionWeights, questionShare } from "./candidate.ts"
import { headingOf } from "./passage-parts.ts"
import { isUnreadable, pieceLimits, refersBack } from "./pieces.ts"
import { bestWindow, type Window } from "./window.ts"

/** What is quoted in one go, under one citation. */
export interface Block {
  /** The passage quoted; two where a block goes on into the neighbouring one. */
  candidates: Candidate[]
  markdown: string
  /** Offset of the quotation in its first passage, in UTF-16 code units. */
  at: number
  words: number
  /** It ends where its list goes on, or before something too long to be quoted. */
  isCut: boolean
}

/** Nearness of a quotation in the middle of many: taken for one whose units have no vectors. */
const middleNearness = 0.9

/** Passages among which the quotation is looked for. */
const readPassages = 10

/** Quotations that are judged, each by itself. */
const judgedQuotations = 4

/** Further ones for the fact that is asked for. */
const judgedByFact = 2

/** Further ones of newer documents of the same name. */
const judgedNewer = 2

/** How the limits and shares below were chosen: decision 013. */
const maxFirstWords = 150
const maxSecondWords = 60
const maxBothWords = 150

/** What a candidate's own text adds to its score. */
const bonus = {
  /** Times the share of the question that its best unit holds: words that stand together answer. */
  unit: 0.25,
  /** Times the share that it holds with its title and headings. */
  all: 0.15,
  /** Weight of the best heading's similarity: a question phrased like a heading is about its section. */
  heading: 0.15,
  /** Times the nearness of its two nearest units: a long passage's own vector is an average of all it says. */
  near: 0.15,
  /** For each of its first 200 words: a stub seldom answers. */
  word: 0.0005,
  maxWords: 200,
}

const second = {
  /** A second passage is quoted when its score is at least this share of the first one's… */
  minShare: 0.92,
  /** …or this much less, where the first gives fewer words than `fewWords`. */
  leniency: 0.08,
  fewWords: 90,
  /** It is at least this share as near to the question as the first one; on the same page, this one. */
  minNearness: 0.95,
  minNearnessOnPage: 0.8,
  /** Another part of the same page seldom answers where the first does not. */
  samePagePenalty: 0.04,
  /** Candidates after the first that are considered. */
  considered: 2,
  /** Where the question is the first one's heading, at least this likeness, only another such section adds to it. */
  headingLikeness: 0.99,
  /** Two quotations that share this part of their words say the same. */
  duplicateShare: 0.6,
}

/** Between two windows that are quoted in one go. */
const maxWordsBetween = 40

export interface Scored {
  candidate: Candidate
  score: number
}

interface Chosen extends Scored {
  window: Window
}

/** A quotation that may answer. */
export interface Choice {
  /** The best window of its candidate, which answers or does not. */
  block: Block
  /** The same, alone, with a second one, or joined with it. Looked for only for the choice that is quoted. */
  blocks(): Block[]
  match: Match
  /** The candidate's score: only differences between the choices of one question mean anything. */
  score: number
}

/** The candidates that are read, best first. */
export function rankCandidates(candidates: readonly Candidate[], weights: QuestionWeights): Scored[] {
  return candidates
    .slice(0, readPassages)
    .map((candidate) => ({ candidate, score: candidateScore(candidate, weights) }))
    .sort((one, other) => other.score - one.score)
}

/** The quotations of the best candidates, best first; none where nothing of what was retrieved can be read. */
export function chooseQuotations(ranked: readonly Scored[], weights: QuestionWeights): Choice[] {
  return quotationsToJudge(ranked, weights).map((chosen) => {
    const block = toBlock(chosen)
    const blocks = () => withSecond(block, chosen, ranked, weights)
    return { block, blocks, match: matchOf(chosen, weights), score: chosen.score }
  })
}

/**
 * The first ones; where none of them gives the fact that is asked for, the first that does is the last of them. A
 * candidate whose best window lacks the fact is judged by the window that gives it too, and newer documents
 * of the same name beside older ones.
 */
function quotationsToJudge(ranked: readonly Scored[], weights: QuestionWeights): Chosen[] {
  const first: Chosen[] = []
  let giving: Chosen | undefined
  for (const scored of ranked) {
    const isFull = first.length === judgedQuotations
    if (isFull && (giving || first.some(givesFact))) break
    // Beyond the first ones only what may give the fact is looked at.
    if (isFull && !scored.candidate.units.some(({ fact }) => fact > 0)) continue
    const chosen = withWindow(scored, weights, maxFirstWords)
    if (chosen && !isFull) first.push(chosen)
    else if (chosen && givesFact(chosen)) giving = chosen
  }
  const judged = giving ? [...first.slice(0, -1), giving] : first
  const newer = ranked
    .filter(
      ({ candidate }) =>
        !judged.some((chosen) => chosen.candidate === candidate) &&
        judged.some((chosen) => isNewer(candidate.passage, chosen.candidate.passage)),
    )
    .slice(0, judgedNewer)
    .flatMap((scored) => withWindow(scored, weights, maxFirstWords) ?? [])
  const byFact = judged
    .filter((chosen) => !givesFact(chosen) && chosen.candidate.units.some(({ fact }) => fact > 0))
    .flatMap((chosen) => {
      const window = bestWindow(chosen.candidate, weights, maxFirstWords, ({ fact }) => fact > 0)
      return window ? [{ ...chosen, window }] : []
    })
  return [...judged, ...newer, ...byFact.slice(0, judgedByFact)]
}

function matchOf({ candidate, window: { from, to } }: Chosen, weights: QuestionWeights): Match {
  const { units, headHolds, headingLikeness } = candidate
  const quoted = units.slice(from, to + 1)
  const shares = quoted.map(({ holds }) => questionShare(weights, new Set([...headHolds, ...holds])))
  return {
    share: Math.max(...shares),
    nearness: Math.max(0, ...quoted.map(({ nearness = middleNearness }) => nearness)),
    headingLikeness,
  }
}

function givesFact({ candidate, window: { from, to } }: Chosen): boolean {
  return candidate.units.slice(from, to + 1).some(({ fact }) => fact > 0)
}

function withWindow(scored: Scored, weights: QuestionWeights, maxWords: number): Chosen | undefined {
  const window = bestWindow(scored.candidate, weights, maxWords)
  return window && { ...scored, window }
}

/** The block of the chosen candidate, and one of the next where it adds to it. */
function withSecond(block: Block, first: Chosen, ranked: readonly Scored[], weights: QuestionWeights) {
  const room = Math.min(maxSecondWords, maxBothWords - first.window.words)
  const other = ranked
    .filter(({ candidate }) => candidate !== first.candidate)
    .slice(0, second.considered)
    .filter((scored) => isWorthQuoting(scored, first))
    .map((scored) => withWindow(scored, weights, room))
    .find((chosen) => chosen !== undefined && isAsNear(chosen, first, weights))
  // A piece that cannot be cut may be a little longer than there is room for.
  if (!other || other.window.words > room * 1.3) return [block]
  const otherBlock = toBlock(other)
  if (isDuplicate(block.markdown, otherBlock.markdown)) return [block]
  const joined = inOneGo(first, other)
  return joined ? [joined] : [block, otherBlock]
}

function candidateScore({ score, units, headHolds, headingLikeness }: Candidate, weights: QuestionWeights) {
  const all = new Set(headHolds)
  let bestShare = 0
  let fact = 0
  let [nearest, secondNearest] = [0, 0]
  let words = 0
  for (const unit of units) {
    words += unit.words
    fact = Math.max(fact, unit.fact)
    bestShare = Math.max(bestShare, questionShare(weights, unit.holds))
    for (const place of unit.holds) all.add(place)
    const nearness = unit.nearness ?? 0
    if (nearness > nearest) [nearest, secondNearest] = [nearness, nearest]
    else if (nearness > secondNearest) secondNearest = nearness
  }
  return (
    score +
    fact +
    bonus.unit * bestShare +
    bonus.all * questionShare(weights, all) +
    bonus.heading * headingLikeness +
    (bonus.near * (nearest + secondNearest)) / 2 +
    bonus.word * Math.min(words, bonus.maxWords)
  )
}

function isWorthQuoting({ candidate, score }: Scored, first: Chosen): boolean {
  const isHeading = (one: Candidate) => one.headingLikeness >= second.headingLikeness
  if (isHeading(first.candidate) && !isHeading(candidate)) return false
  const isSamePage = candidate.passage.document === first.candidate.passage.document
  const minShare = second.minShare - (first.window.words < second.fewWords ? second.leniency : 0)
  return score - (isSamePage ? second.samePagePenalty : 0) >= minShare * first.score
}

/**
 * Another page is quoted beside the first only where it holds as much of the question and is as near in meaning; what
 * stands beside the first on its page, where it is not much farther.
 */
function isAsNear(other: Chosen, first: Chosen, weights: QuestionWeights): boolean {
  const [one, two] = [windowRelevance(first), windowRelevance(other)]
  if (other.candidate.passage.document === first.candidate.passage.document)
    return two.nearness >= second.minNearnessOnPage * one.nearness
  return two.nearness >= second.minNearness * one.nearness && two.share >= one.share

  function windowRelevance({ candidate: { units, headHolds }, window: { from, to } }: Chosen) {
    const quoted = units.slice(from, to + 1)
    return {
      nearness: Math.max(...quoted.map(({ nearness = 0 }) => nearness)),
      share: questionShare(weights, new Set([...headHolds, ...quoted.flatMap(({ holds }) => holds)])),
    }
  }
}

export function toBlock({ candidate, window: { from, to, lead, words } }: Chosen): Block {
  const { passage, units } = candidate
  const quotedText = (first: number, last: number) => {
    const end = units[last] as CandidateUnit
    return passage.markdown.slice((units[first] as CandidateUnit).at, end.at + end.markdown.length)
  }
  const start = lead === from - 1 ? lead : from
  const quoted = [
    ...(lead === undefined || lead === start ? [] : [quotedText(lead, lead)]),
    quotedText(start, to),
  ]
  const first = units[lead ?? from] as CandidateUnit
  return {
    candidates: [candidate],
    markdown: [...headingFor(candidate, first, units[from - 1]?.section !== first.section), ...quoted].join(
      "\n\n",
    ),
    at: first.at,
    words,
    isCut: isCutBefore(units.slice(to + 1, to + 3), units[to] as CandidateUnit),
  }
}

/** Whether a visitor who reads up to `last` misses what it belongs to; a line may introduce what is too long. */
function isCutBefore(after: readonly CandidateUnit[], last: CandidateUnit): boolean {
  const next = after.filter(({ section }) => section === last.section)
  const goesOn = last.kind === "item" && next[0]?.kind === "item" && next[0].block === last.block
  return goesOn || next.some(isUnreadable)
}

/**
 * A heading that is a question is quoted with its answer: "Non." answers that question, which may not be the
 * visitor's. A section that begins with a pronoun speaks of its heading.
 */
function headingFor({ passage }: Candidate, first: CandidateUnit, isBeginning: boolean): string[] {
  const section = passage.sections?.findLast(({ from }) => from <= first.at)
  const heading = section ? section.heading : (passage.headings.at(-1) ?? null)
  if (heading === null || first.kind === "label" || first.markdown === `**${heading}**`) return []
  const isNeeded = heading.trimEnd().endsWith("?") || (isBeginning && !passage.continues && refersBack(first))
  return isNeeded ? [`**${heading}**`] : []
}

/**
 * Joins a window with the one of the passage below it, where few words stand between: a reader of the page would copy
 * both at once, with the heading that stands between. Nothing is joined in front of what answers.
 */
function inOneGo(upper: Chosen, lower: Chosen): Block | undefined {
  const areNeighbours =
    upper.candidate.passage.document === lower.candidate.passage.document &&
    numberOnPage(lower.candidate) === numberOnPage(upper.candidate) + 1
  if (!areNeighbours || upper.window.lead !== undefined || lower.window.lead !== undefined) return undefined
  const between = [
    ...upper.candidate.units.slice(upper.window.to + 1),
    ...lower.candidate.units.slice(0, lower.window.from),
  ]
  const wordsBetween = between.reduce((sum, { words }) => sum + words, 0)
  const words = upper.window.words + wordsBetween + lower.window.words
  if (wordsBetween > maxWordsBetween || words > maxBothWords) return undefined
  if (between.some(({ codeLines }) => codeLines > pieceLimits.codeLines)) return undefined
  const top = toBlock({ ...upper, window: { ...upper.window, to: upper.candidate.units.length - 1 } })
  const bottom = toBlock({ ...lower, window: { ...lower.window, from: 0 } })
  const heading = firstHeading(lower.candidate)
  const isShown = heading === firstHeading(upper.candidate) || bottom.markdown.startsWith(`**${heading}**`)
  return {
    candidates: [upper.candidate, lower.candidate],
    markdown: [top.markdown, ...(isShown ? [] : [`**${heading}**`]), bottom.markdown].join("\n\n"),
    at: top.at,
    words,
    isCut: bottom.isCut,
  }
}

function firstHeading({ passage }: Candidate): string {
  return passage.sections?.[0]?.heading ?? headingOf(passage)
}

/** Number of the passage on its page, which its key begins with. */
function numberOnPage({ passage: { key, document } }: Candidate): number {
  return Number.parseInt(key.slice(document.length + 1), 10)
}

/** Keeps an answer from repeating a text that the documentation has twice. */
export function isDuplicate(one: string, other: string): boolean {
  const [words, others] = [distinctWords(one), distinctWords(other)]
  const shared = [...others].filter((word) => words.has(word)).length
  return shared >= second.duplicateShare * Math.min(words.size, others.size)
}

/** An answer is compared with each place that follows it. */
const lately = new LRUCache<string, ReadonlySet<string>>({ max: 64 })

function distinctWords(text: string): ReadonlySet<string> {
  const words = lately.get(text) ?? new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu))
  lately.set(text, words)
  return words
}
