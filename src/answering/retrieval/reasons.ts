import type { Vocabulary } from "../../index/lance/vocabulary.ts"
import { withoutElision, writtenWordsIn } from "../../index/text/analyse.ts"
import { factAsked, isRequired, type RequiredKind } from "./asked-fact.ts"
import type { DecidedRetrieval } from "./decide-whether-answered.ts"
import type { Question, WrittenWord } from "./question.ts"
import { missingWords, type Quotation } from "./quote-signals.ts"

/**
 * Why a question was refused, or what speaks against the answer that it got. `words` are the visitor's as typed.
 *
 * - `no_passage`: nothing was found.
 * - `unknown_words`: no page has the words.
 * - `missing_words`: pages have the words, and the passage that was judged lacks them.
 * - `quantity`: that passage gives nothing of the kind that is asked for.
 * - `unheaded`: no heading names what is asked for.
 * - `uncited`: passages seemed to answer, and nothing could be cited.
 * - `far`: nothing of the above; no passage is near enough in words and meaning.
 */
export type Reason =
  | { code: "no_passage" | "unheaded" | "uncited" | "far" }
  | { code: "unknown_words" | "missing_words"; words: string[] }
  | { code: "quantity"; kind: RequiredKind }

const maxWords = 3
/** From this part of the signal on, the quantity is missing rather than badly supported. */
const minQuantityMissing = 0.5

/** None for an answer that nothing speaks against. */
export function doubtReasons(
  { retrieval, quoted }: { retrieval: DecidedRetrieval; quoted: readonly Quotation[] },
  { language }: Pick<Vocabulary, "language">,
  isAnswered: boolean,
): Reason[] {
  const { forms, decision, quoteSignals, signals } = retrieval
  const [question] = forms
  if (!question || quoted.length === 0) return isAnswered ? [] : [{ code: "no_passage" }]
  if (decision.answerable && !isAnswered) return [{ code: "uncited" }]
  const reasons: Reason[] = []
  const typed = typedWords(question, language)
  const add = (code: "unknown_words" | "missing_words", found: readonly WrittenWord[]) => {
    const words = found.slice(0, maxWords).map(({ text }) => typed.get(text) ?? text)
    if (words.length > 0) reasons.push({ code, words })
  }
  const missing = missingWords(question, quoted, language)
  add(
    "unknown_words",
    missing
      .filter(({ frequency }) => frequency === 0)
      .sort((one, other) => wordWeight(other) - wordWeight(one)),
  )
  add(
    "missing_words",
    missing
      .filter(({ frequency, isNoun, isName }) => frequency > 0 && (isNoun || isName))
      .sort((one, other) => one.frequency - other.frequency),
  )
  const quantityMissing = quoteSignals?.quantityMissing ?? signals.quantityMissing
  const kind = factAsked(question.text, language)
  if (kind && isRequired(kind) && quantityMissing >= minQuantityMissing)
    reasons.push({ code: "quantity", kind })
  if (isAnswered) return reasons
  if (quoteSignals && quoteSignals.askedUnheaded > 0) reasons.push({ code: "unheaded" })
  return reasons.length > 0 ? reasons : [{ code: "far" }]
}

/** Names say most about what is missing, then other nouns. */
function wordWeight({ isName, isNoun }: WrittenWord): number {
  return isName ? 2 : isNoun ? 1 : 0
}

/** The reasons stored with an answer; undefined for one from before they were stored. */
export function storedReasons(stored: string | null): Reason[] | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as Reason[])
}

/** Each word as the visitor typed it, without its article, by the form that is compared. */
function typedWords({ text }: Question, language: Vocabulary["language"]): ReadonlyMap<string, string> {
  return new Map(
    writtenWordsIn(text, language).map(({ written, word }) => [
      word.letters,
      withoutElision(written, language),
    ]),
  )
}
