import { ownTurn } from "../../base/async.ts"
import type { QuestionVector } from "../embedding/embedder.ts"
import type { PassageIndex } from "../index/lance.ts"
import { type Decision, decideOnQuotation } from "./decide.ts"
import { heldPart, type Quotation, type QuoteSignals, quoteSignalsOf } from "./quote-signals.ts"
import { quoteModel } from "./quote-weights.ts"
import { nothingRetrieved, quotablePassages, type Retrieval } from "./retrieve.ts"

/** Retrieval with the decision whether its quotation answers. */
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

/**
 * Decides on the quotation instead of the passages found. Without vectors of the model that the weights were fitted
 * with, and without anything to quote, the decision by words stays.
 */
export async function decideWhetherAnswered(
  index: PassageIndex,
  retrieval: Retrieval,
  quoted: readonly Quotation[],
  vectorOf: (text: string) => Promise<QuestionVector | undefined>,
): Promise<DecidedRetrieval> {
  const { forms, decision } = retrieval
  const signals = await Promise.all(
    forms.map((_, form) => quoteSignalsIn(index, retrieval, form, quoted, vectorOf)),
  )
  const judged = signals.flatMap((quoteSignals) =>
    quoteSignals ? [{ quoteSignals, decision: decideOnQuotation(quoteSignals, decision.isNear) }] : [],
  )
  const [best] = judged.sort((one, other) => other.decision.confidence - one.decision.confidence)
  return { ...retrieval, byWords: decision, ...(best ?? { quoteSignals: undefined }) }
}

/** Signals of one form of the question. */
async function quoteSignalsIn(
  index: PassageIndex,
  { forms, ranked, belonging }: Retrieval,
  form: number,
  quoted: readonly Quotation[],
  vectorOf: (text: string) => Promise<QuestionVector | undefined>,
): Promise<QuoteSignals | undefined> {
  const question = forms[form]
  const [first, ...others] = quoted
  const source = ranked.find(({ passage }) => passage === first?.passages[0])
  if (!question || !first || source?.meaning === undefined || belonging === undefined) return undefined
  if (index.embedded?.name !== quoteModel) return undefined
  const { meaning } = source
  await ownTurn()
  const held = heldPart(question, quoted, index.language)
  const vector = held === undefined ? undefined : await vectorOf(held)
  await ownTurn()
  return quoteSignalsOf(question, [first, ...others], {
    found: ranked.slice(0, quotablePassages).map(({ passage }) => passage),
    vocabulary: index,
    meaning,
    meaningOfHeld: (vector && index.vectors?.cosine(source.row, vector.own)) ?? meaning,
    belonging,
  })
}
