import { ownTick } from "../../base/async.ts"
import type { QuestionVector } from "../../index/embedding/embedder.ts"
import { areComparable } from "../../index/embedding/embeddings.ts"
import type { PassageIndex } from "../../index/lance/lance.ts"
import type { Passage } from "../../reading/formats/document.ts"
import { type Decision, decideByWords, decideOnQuotation, rankOfQuotation } from "./decide.ts"
import { isNewer } from "./newer-document.ts"
import type { Question } from "./question.ts"
import {
  heldPart,
  type Match,
  measureQuotation,
  mostLead,
  type Quotation,
  type QuoteSignals,
} from "./quote-signals.ts"
import { quoteModel } from "./quote-weights.ts"
import { nothingRetrieved, quotablePassages, type Retrieval } from "./retrieve.ts"
import { leastThreshold, thresholds } from "./thresholds.ts"

/** Retrieval with the decision whether a quotation answers. */
export interface DecidedRetrieval extends Retrieval {
  /** Signals of the decision; undefined where only words decided. */
  quoteSignals: QuoteSignals | undefined
  /** The decision by words alone, which is the decision itself where there are no signals of a quotation. */
  byWords: Decision
}

/** A text that asks for nothing. */
export const nothingDecided: DecidedRetrieval = {
  ...nothingRetrieved,
  quoteSignals: undefined,
  byWords: nothingRetrieved.decision,
}

/** A quotation that may be shown. */
export interface Quotable {
  /** The part that answers or does not; anything shown beside it is not judged. */
  judged: Quotation
  match: Match
  /** Score of its passage among the candidates. */
  score: number
}

/** Makes the vector of a text; undefined where the model does not. */
type VectorOf = (text: string) => Promise<QuestionVector | undefined>

/** One form of the question beside one quotation. */
export interface JudgedQuotation<Choice> {
  choice: Choice
  form: Question
  /** Row of the passage quoted. */
  row: number
  /** As if no word were missing (`gainWithoutMissing` is 0, which takes no pass of the model), and alone. */
  signals: QuoteSignals
}

/**
 * Chooses the likeliest of the quotations, and decides on it instead of the passages found. Without vectors of the
 * model that the weights were fitted with, and without anything to quote, the first of `choices` and the decision by
 * words stay. `leans`: the question is looked for on what was said before it.
 */
export async function decideWhetherAnswered<Choice extends Quotable>(
  index: PassageIndex,
  retrieval: Retrieval,
  choices: readonly Choice[],
  vectorOf: VectorOf,
  threshold: number = thresholds.prudent,
  leans = false,
): Promise<{ retrieval: DecidedRetrieval; chosen: Choice | undefined }> {
  const { decision: byWords } = retrieval
  const first = withLead(await judgedQuotations(index, retrieval, choices))
  if (!first) {
    const decision = decideByWords(byWords, threshold)
    return { retrieval: { ...retrieval, byWords, decision, quoteSignals: undefined }, chosen: choices[0] }
  }
  const decide = (signals: QuoteSignals, least: number) =>
    decideOnQuotation(signals, byWords.isNear, least, leans, index.passages)
  // The pass of the model only ever speaks against an answer. Owners are told what each threshold would have answered.
  const isRefused = !decide(first.signals, leastThreshold).answerable
  const quoteSignals = isRefused ? first.signals : await withGain(index, first, vectorOf)
  const decision = decide(quoteSignals, threshold)
  return { retrieval: { ...retrieval, byWords, decision, quoteSignals }, chosen: first.choice }
}

/** Every quotation beside every form of the question; empty where the weights do not hold. */
export async function judgedQuotations<Choice extends Quotable>(
  index: PassageIndex,
  { forms, ranked, belonging, decision }: Retrieval,
  choices: readonly Choice[],
): Promise<JudgedQuotation<Choice>[]> {
  if (!areComparable(index.embedded?.name, quoteModel) || belonging === undefined) return []
  const quotable = ranked.slice(0, quotablePassages).map(({ passage }) => passage)
  const judged: JudgedQuotation<Choice>[] = []
  for (const choice of choices) {
    const source = ranked.find(({ passage }) => passage === choice.judged.passages[0])
    if (source?.meaning === undefined) continue
    const { meaning, row } = source
    for (const form of forms) {
      await ownTick()
      const signals = measureQuotation(form, [choice.judged], {
        found: quotable,
        vocabulary: index,
        match: choice.match,
        meaning,
        meaningOfHeld: meaning,
        belonging,
        byWords: decision.confidence,
      })
      judged.push({ choice, form, row, signals })
    }
  }
  return judged
}

/** The likeliest quotation, or a newer document's that answers as well, with its lead over other passages. */
export function withLead<Choice extends Quotable>(judged: readonly JudgedQuotation<Choice>[]) {
  const ranked = judged
    .map((one) => ({ ...one, rank: rankOfQuotation(one.choice.score, one.signals) }))
    .sort((one, other) => other.rank - one.rank)
  const [likeliest] = ranked
  if (!likeliest) return undefined
  const first = ranked.filter((one) => replaces(one, likeliest)).reduce(newerOf, likeliest)
  const next = ranked.find(
    ({ choice }) => ![first, likeliest].some((one) => passageOf(one.choice) === passageOf(choice)),
  )
  const lead = next ? Math.min(likeliest.rank - next.rank, mostLead) : mostLead
  return { ...first, signals: { ...first.signals, lead } }
}

type Ranked = JudgedQuotation<Quotable> & { rank: number }

/** Whether a quotation of a newer document answers as well, and the question names no other time. */
function replaces(one: Ranked, likeliest: Ranked): boolean {
  return (
    isNewer(passageOf(one.choice), passageOf(likeliest.choice)) &&
    !namesTime.test(one.form.text) &&
    one.rank >= likeliest.rank - mostLead &&
    one.choice.match.share >= asMuch * likeliest.choice.match.share &&
    one.signals.factMissing <= likeliest.signals.factMissing
  )
}

function newerOf<One extends Ranked>(one: One, other: One): One {
  return isNewer(passageOf(other.choice), passageOf(one.choice)) ? other : one
}

function passageOf({ judged }: Quotable): Passage {
  return judged.passages[0] as Passage
}

/** Share of what the likeliest quotation holds of the question. */
const asMuch = 0.95
/** A year, a day of one, or a word for what is past. */
const namesTime =
  /(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\p{L})(?:ancien(?:ne)?s?|précédente?s?|avant|dernière fois|autrefois|previous|former|earlier|last time|used to)(?!\p{L})/iu

/** The signals with what a second pass of the model tells. */
export async function withGain<Choice extends Quotable>(
  index: PassageIndex,
  { choice, form, row, signals }: JudgedQuotation<Choice>,
  vectorOf: VectorOf,
): Promise<QuoteSignals> {
  await ownTick()
  const held = heldPart(form, [choice.judged], index.language)
  const vector = held === undefined ? undefined : await vectorOf(held)
  const meaningOfHeld = vector && index.vectors?.cosine(row, vector.own)
  if (meaningOfHeld === undefined) return signals
  return { ...signals, gainWithoutMissing: Math.max(0, meaningOfHeld - signals.meaning) }
}
