import { ownTick } from "../../base/async.ts"
import type { QuestionVector } from "../../index/embedding/embedder.ts"
import { areComparable } from "../../index/embedding/embeddings.ts"
import type { PassageIndex } from "../../index/lance/lance.ts"
import { writtenOut } from "../../index/text/short-forms.ts"
import type { AnswerPiece, QuestionWithPassages } from "../answerer.ts"
import { type Extraction, extract } from "../extractive/extract.ts"
import { bearsOn } from "../retrieval/bears-on-question.ts"
import { type DecidedRetrieval, decideWhetherAnswered } from "../retrieval/decide-whether-answered.ts"
import { dependsOnConversation, isShort } from "../retrieval/depends-on-conversation.ts"
import type { QuestionWord } from "../retrieval/question.ts"
import { type RetrievalRequest, retrieve } from "../retrieval/retrieve.ts"

/**
 * Query understanding by a model, before retrieval. It never fails a question: its methods resolve to
 * undefined instead, and words alone find the passages.
 */
export interface Understanding {
  /** Name of the embedding model; an index of another model cannot be searched with its vectors. */
  embeddingName: string | undefined
  /** Rewrites the last question of a conversation so that it needs no conversation. */
  standalone(question: QuestionInContext, signal: AbortSignal): Promise<string | undefined>
  /** The question's vector. */
  vectorOf(question: string, signal: AbortSignal): Promise<QuestionVector | undefined>
}

export type QuestionInContext = Pick<QuestionWithPassages, "question" | "previous" | "language">

export interface RetrievedPassages extends Pick<Extraction, "next" | "linesOf"> {
  retrieval: DecidedRetrieval
  /** The quotation that answers, else the first that was judged. */
  quoted: readonly AnswerPiece[]
  /** The rewritten question; undefined without a conversation or a model. */
  standalone: string | undefined
}

/**
 * Finds at most `limit` passages, by words and by what `understanding` makes of the question. A question that does not
 * lean on its conversation is looked for alone; in its conversation only when that finds nothing, or far less surely.
 * Passages of its conversation answer only where they bear on the words of the question itself.
 */
export async function retrievePassages(
  understanding: Understanding | undefined,
  index: PassageIndex,
  question: QuestionInContext & Pick<RetrievalRequest, "page" | "today"> & { threshold?: number | undefined },
  signal: AbortSignal,
  limit?: number,
): Promise<RetrievedPassages> {
  const { language } = question
  const text = writtenOut(question.question, index)
  const previous = question.previous.map((turn) => ({ ...turn, question: writtenOut(turn.question, index) }))
  const last = previous.at(-1)
  const standalone = last ? await understanding?.standalone(question, signal) : undefined
  const isComparable = areComparable(index.embedded?.name, understanding?.embeddingName)
  const embed = async (meant: string) => (isComparable ? understanding?.vectorOf(meant, signal) : undefined)
  const find = async (context: typeof previous): Promise<RetrievedPassages> => {
    const earlier = standalone === undefined ? context.at(-1)?.question : undefined
    const vectorInContext = (own: string) => embed(earlier === undefined ? own : `${earlier} ${own}`)
    const vector = await vectorInContext(standalone ?? text)
    signal.throwIfAborted()
    const retrieval = await retrieve(
      index,
      { ...question, question: text, previous: context, standalone, vector },
      limit,
    )
    const { ranked, terms, words, forms } = retrieval
    await ownTick()
    const { quotations, ...places } = extract({
      question: text,
      language,
      terms,
      found: ranked,
      words: quotedBy(words),
    })
    const bearing =
      context.length === 0 ? quotations : quotations.filter(({ judged }) => bearsOn(forms, judged, index))
    const decided = await decideWhetherAnswered(
      index,
      retrieval,
      bearing,
      vectorInContext,
      question.threshold,
      context.length > 0,
    )
    const hasReason = bearing.length > 0 || quotations.length === 0
    return {
      retrieval: hasReason ? decided.retrieval : unanswerable(decided.retrieval),
      quoted: decided.chosen?.pieces() ?? [],
      ...places,
      standalone,
    }
  }
  if (last && dependsOnConversation(text, language)) return find(previous)
  const alone = await find([])
  if (!last || (alone.retrieval.decision.answerable && !isShort(text))) return alone
  const together = await find(previous)
  return isFarBetter(together, alone) ? together : alone
}

/** The earlier question finds the page; what is quoted of it goes by the question's own words. */
export function quotedBy(words: readonly QuestionWord[]): readonly QuestionWord[] {
  const own = words.filter(({ isOwn, frequency }) => isOwn && frequency > 0)
  return own.length > 0 ? own : words
}

function unanswerable(retrieval: DecidedRetrieval): DecidedRetrieval {
  return { ...retrieval, decision: { ...retrieval.decision, answerable: false, confidence: 0 } }
}

/**
 * Whether one answers, and the other does not or with odds many times lower. « on peut essayer avant ? » alone finds a
 * page about trying. With 20, none of 248 questions that changed the subject lost its page; with 7, two did.
 */
function isFarBetter({ retrieval: one }: RetrievedPassages, { retrieval: other }: RetrievedPassages) {
  const oddsOf = (confidence: number) => confidence / (1 - confidence)
  return (
    one.decision.answerable &&
    (!other.decision.answerable || oddsOf(one.decision.confidence) >= 20 * oddsOf(other.decision.confidence))
  )
}
