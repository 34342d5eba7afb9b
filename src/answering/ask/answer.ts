import type { Language, Project } from "../../accounts/project.ts"
import { withTimeout } from "../../base/async.ts"
import { type Clock, isoTime, secondMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { areComparable } from "../../index/embedding/embeddings.ts"
import type { PassageIndex } from "../../index/lance/lance.ts"
import type { Passage } from "../../reading/formats/document.ts"
import type { Answerer, QuestionWithPassages } from "../answerer.ts"
import type { ChosenAnswers, FoundChosen } from "../chosen/match-chosen.ts"
import type { AskedEdition } from "../editions/edition-index.ts"
import { extractive } from "../extractive/extract.ts"
import { type DecidedRetrieval, nothingDecided } from "../retrieval/decide-whether-answered.ts"
import { isInstruction } from "../retrieval/instruction.ts"
import { doubtReasons, type Reason } from "../retrieval/reasons.ts"
import { thresholds } from "../retrieval/thresholds.ts"
import { type CitedAnswer, type CitedPiece, citationWriter } from "./citations.ts"
import { courtesyOf } from "./courtesy.ts"
import { nextPages, type RelatedPage } from "./next-pages.ts"
import { callerGone, unavailable } from "./queue.ts"
import { relatedPages } from "./related.ts"
import {
  type QuestionInContext,
  type RetrievedPassages,
  retrievePassages,
  type Understanding,
} from "./retrieve.ts"
import { sharingVectors } from "./understandings.ts"

export interface AnswerDeps {
  answerer: Answerer
  /** Takes a place at the answerer for the question, where it has a limit. Throws Refusal `unavailable`. */
  enter?: (() => Disposable | undefined) | undefined
  /** Words of the link to the page below a quotation that is cut. */
  goesOn: Record<Language, string>
  /** Words above an answer of an edition that was not asked, which they name. */
  fromOtherEdition: Record<Language, (label: string) => string>
  answerTimeoutMs: number
  /** Least confidence at which a quotation is said; without it, that of a prudent project. */
  threshold?: number
  /** Tells which news is past. */
  clock: Clock
  /** Answers when `answerer` is unavailable. */
  fallback?: Answerer | undefined
  understanding?: Understanding | undefined
  /** Understands questions that no provider may receive. */
  localUnderstanding?: Understanding | undefined
  /** The answers that owners wrote themselves, which come before any other. */
  chosen?: ChosenAnswers | undefined
  /** Receives the duration of each retrieval, including the calls to a model that understand the question. */
  onRetrieved?(seconds: number): void
  /** Receives the reason, in English, whenever the fallback answers. */
  onFallback?(reason: string): void
}

export interface AnswerRequest extends QuestionInContext {
  /** Path of the page the visitor has open. */
  page: string | undefined
}

/**
 * The answer to a question (specification, part 2 A2), before it has an id. The text of a `no_answer` is empty until
 * `withRefusalText` gives it one.
 */
export interface AnswerResult extends CitedAnswer {
  status: "answered" | "no_answer"
  /** Pages that may help in place of the answer, or beside it; best first. */
  related?: RelatedPage[]
  /** Undefined for what nothing was retrieved for: a greeting, the owner's answer. */
  reasons?: Reason[] | undefined
  /** Estimated probability that what was found answers; undefined where nothing was judged. */
  confidence?: number | undefined
  /** Id of the owner's answer that this is. */
  chosenId?: string | undefined
}

export interface AnsweredQuestion {
  result: AnswerResult
  retrieval: DecidedRetrieval
  /** The fallback answered: the same question may get a better answer later. */
  isFallback: boolean
  /** The passages that the answer cites. */
  cited?: ReadonlySet<Passage> | undefined
  /** The owner's own answer, for which nothing was retrieved. */
  chosen?: FoundChosen
}

/**
 * Longest time for an answer. Shorter than the minute for which a reservation within the limits lasts
 * (`accounts/quotas/ask-quota.ts`).
 */
export const answerTimeoutMs = 30 * secondMs

/**
 * The parts that answer one question for a project. A project whose answers are extracted uses no provider, so that
 * its questions and pages stay here. The vector of a text is computed once and shared.
 */
export function answerDepsFor<Deps extends AnswerDeps>(
  deps: Deps,
  { id, answers, answerThreshold }: Pick<Project, "id" | "answers" | "answerThreshold">,
): Deps {
  const own = { ...deps, ...sharingVectors(deps), threshold: thresholds[answerThreshold] }
  if (answers === "written") return { ...own, enter: () => deps.answerer.enter?.(id) }
  return { ...own, answerer: extractive, understanding: own.localUnderstanding, fallback: undefined }
}

/**
 * Retrieves passages, answers from them and cites them; `onPiece` receives each piece as it comes. Greetings
 * and thanks are answered without any of it. Calls `onEntered` once the question has a place at the answerer, which
 * then bounds how many are under way. Where the edition that is asked does not answer, its fallback may, and the answer
 * says so. Throws Refusal `unavailable` after `answerTimeoutMs`, when the caller has gone away, or when the answerer
 * fails without a fallback.
 */
export async function answerQuestion(
  deps: AnswerDeps,
  asked: AskedEdition,
  request: AnswerRequest,
  callerSignal: AbortSignal,
  onPiece: (piece: CitedPiece) => void = () => {},
  onEntered: () => void = () => {},
): Promise<AnsweredQuestion> {
  if (courtesyOf(request.question) !== undefined || isInstruction(request.question))
    return { result: unanswered([]), retrieval: nothingDecided, isFallback: false }
  return withinTimeout(deps.answerTimeoutMs, callerSignal, async (signal) => {
    const own = await answerFromIndex(deps, asked.index, request, signal, onPiece, onEntered)
    const { fallback } = asked
    if (!fallback || own.result.status === "answered") return own
    const notice = deps.fromOtherEdition[request.language](fallback.edition.label)
    let isSaid = false
    const afterNotice = (piece: CitedPiece) => {
      if (!isSaid) onPiece({ text: notice, sources: [] })
      isSaid = true
      onPiece(piece)
    }
    const other = await answerFromIndex(deps, fallback.index, request, signal, afterNotice)
    if (other.result.status !== "answered") return own
    const result = { ...other.result, answer: `${notice}\n\n${other.result.answer}` }
    return { ...other, result, isFallback: own.isFallback || other.isFallback }
  })
}

async function answerFromIndex(
  deps: AnswerDeps,
  index: PassageIndex,
  request: AnswerRequest,
  signal: AbortSignal,
  onPiece: (piece: CitedPiece) => void,
  onEntered: () => void = () => {},
): Promise<AnsweredQuestion> {
  let found: RetrievedPassages | undefined
  const retrieve = async (understanding: Understanding | undefined) => {
    const startedMs = performance.now()
    const today = isoTime(deps.clock.now()).slice(0, 10)
    const { threshold } = deps
    found = await retrievePassages(understanding, index, { ...request, today, threshold }, signal)
    deps.onRetrieved?.((performance.now() - startedMs) / secondMs)
    return found
  }
  const answerFrom = async (answerer: Answerer, { next, standalone, ...unsure }: RetrievedPassages) => {
    const { retrieval, quoted } = unsure
    const { terms, words, ranked } = retrieval
    const passages = ranked.map(({ passage }) => passage)
    const meaningOf = meaningIn(index, deps.localUnderstanding)
    const question = { ...request, standalone, terms, words, found: ranked, passages, quoted, meaningOf }
    const cited = isWorthAsking(answerer, retrieval)
      ? await citedAnswerBy(answerer, question, deps.goesOn[request.language], signal, onPiece)
      : undefined
    const result: AnswerResult = cited
      ? {
          status: "answered",
          ...cited.answer,
          related: nextPages(next(cited.passages, cited.answer.answer), request.language),
        }
      : unanswered(relatedPages(unsure, request.language, index.embedded?.typical))
    const reasons = doubtReasons({ retrieval, quoted }, index, cited !== undefined)
    const { confidence } = retrieval.decision
    return { result: { ...result, reasons, confidence }, retrieval, cited: cited?.passages }
  }
  try {
    using place = deps.enter?.()
    if (place) onEntered()
    const answered = await answerFrom(deps.answerer, await retrieve(deps.understanding))
    return { ...answered, isFallback: false }
  } catch (error) {
    const { fallback } = deps
    if (!fallback || signal.aborted || !(error instanceof Refusal)) throw error
    deps.onFallback?.(error.message)
    // `found` is undefined if the answerer had no free place. Its model is not asked then: words alone
    // find the passages.
    const answered = await answerFrom(fallback, found ?? (await retrieve(undefined)))
    return { ...answered, isFallback: true }
  }
}

/** Compares texts with an index whose vectors the embedded model made. */
function meaningIn(
  { embedded, vectors }: PassageIndex,
  understanding: Understanding | undefined,
): QuestionWithPassages["meaningOf"] {
  if (!vectors || !understanding || !areComparable(embedded?.name, understanding.embeddingName))
    return undefined
  return async (text, signal) => {
    const vector = (await understanding.vectorOf(text, signal))?.own
    return (
      vector && {
        unitCosines: (row) => vectors.unitCosines(row, vector),
        median: vectors.medianCosine(vector),
      }
    )
  }
}

function unanswered(related: RelatedPage[]): AnswerResult {
  return { status: "no_answer", answer: "", sources: [], related }
}

/**
 * An answerer that judges for itself is asked when the quotation or the words give it a chance: a question in another
 * language than the documentation's shares few words with any quotation.
 */
function isWorthAsking({ leastConfidence }: Answerer, { decision, byWords }: DecidedRetrieval): boolean {
  if (leastConfidence === undefined) return decision.answerable
  return Math.max(decision.confidence, byWords.confidence) >= leastConfidence || decision.isNear
}

async function citedAnswerBy(
  answerer: Answerer,
  question: QuestionWithPassages,
  goesOn: string,
  signal: AbortSignal,
  onPiece: (piece: CitedPiece) => void,
): Promise<{ answer: CitedAnswer; passages: ReadonlySet<Passage> } | undefined> {
  const writer = citationWriter(question.passages, goesOn, question.language)
  const passages = new Set<Passage>()
  for await (const piece of answerer.answer(question, signal)) {
    const cited = writer.add(piece)
    if (!cited) continue
    for (const passage of piece.passages) passages.add(passage)
    if (!signal.aborted) onPiece(cited)
  }
  const answer = writer.answer()
  return answer && { answer, passages }
}

/** Aborts `work` and rejects at once after the timeout, even if an answerer ignores its signal. */
async function withinTimeout<Result>(
  timeoutMs: number,
  callerSignal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const timeoutError = () => unavailable("the answer took too long", retryAfterSeconds)
  try {
    return await withTimeout(work(controller.signal), timeoutMs, timeoutError, callerSignal)
  } catch (error) {
    throw callerSignal.aborted ? callerGone() : error
  } finally {
    controller.abort()
  }
}

const retryAfterSeconds = 30
