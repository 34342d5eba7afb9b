import { countAsks, giveBack } from "../../accounts/quotas/ask-quota.ts"
import { extractive } from "../extractive/extract.ts"
import { type AdmitDeps, type AdmittedQuestion, requireAskedProject } from "./admit.ts"
import { type AnswerDeps, answerDepsFor, answerQuestion } from "./answer.ts"
import { chosenResult, findChosen } from "./chosen.ts"
import type { CitedPiece } from "./citations.ts"
import { answerCacheKey, conversationId, findCachedAnswer, loadConversation } from "./earlier-answers.ts"
import type { RelatedPage } from "./next-pages.ts"
import { type NoAnswer, withRefusalText } from "./no-answer.ts"
import { callerGone } from "./queue.ts"
import { type AskReply, storeAndCount } from "./store-answer.ts"

/** Everything that answering visitors depends on; `openApp` builds one. */
export interface Assistant extends AdmitDeps, AnswerDeps {
  noAnswer: NoAnswer
}

export interface AskResult {
  reply: AskReply
  /** Passages offered in place of the answer, or beside it. */
  related: readonly RelatedPage[]
  /** The answer was kept for an equal question before. */
  cached: boolean
  /** It consists of lines of the pages. */
  isQuoted: boolean
}

/**
 * Answers a question that `admit` let in. It passes through `earlier-answers.ts` (its conversation, or a
 * cached answer), `chosen.ts` (the owner's own answer), `answer.ts` (retrieval and the answer) and `store-answer.ts`
 * (storing). `onPiece` receives each piece as it comes. The reply is stored and counted when the promise
 * resolves. Throws Refusal `unavailable`, `not_indexed` or `project_not_found`. A failed question is not
 * counted, unless its reader received a piece and left. Nothing is retrieved for a client that is gone.
 */
export async function answerAdmitted(
  assistant: Assistant,
  { request, project, language: spoken, live, asked, via, reservation, leave }: AdmittedQuestion,
  signal: AbortSignal,
  onPiece?: (piece: CitedPiece) => void,
): Promise<AskResult> {
  const { db, relaxed, clock } = assistant
  const { question, page } = request
  const { language } = project
  let hasRead = false
  const givePiece = (piece: CitedPiece) => {
    hasRead = true
    onPiece?.(piece)
  }
  try {
    const deps = answerDepsFor(assistant, project)
    const edition = asked.edition?.name
    const previous = await loadConversation(db, project.id, request.previous, clock.now(), edition)
    const conversation = await conversationId(db, project.id, request.previous, clock.now())
    const { generation } = live
    const { version } = deps.answerer
    const synonyms = live.index.synonyms?.version
    const inContext = { question, previous, language, page }
    // Before the cache, and never put into it: what the owner writes or removes counts from the next question on.
    const chosen = await findChosen(deps, project, live, asked, inContext, signal)
    const cacheKey =
      chosen || previous.length > 0
        ? null
        : answerCacheKey({
            question,
            page,
            generation,
            answerer: version,
            language,
            threshold: deps.threshold,
            synonyms,
            edition: edition === undefined ? undefined : { ...project, asked: edition },
          })
    const cached = cacheKey === null ? undefined : await findCachedAnswer(db, project.id, cacheKey)
    if (signal.aborted) throw callerGone()
    const storedResult = chosen ? chosenResult(chosen, onPiece && givePiece) : cached
    const { result: found, isFallback } = storedResult
      ? { result: storedResult, isFallback: false }
      : await answerQuestion(deps, asked, inContext, signal, onPiece && givePiece, leave)
    const newAnswer = {
      projectId: project.id,
      question,
      page,
      generation,
      cacheKey: isFallback ? null : cacheKey,
      conversation,
      via,
      edition,
      result: withRefusalText(assistant.noAnswer, project, { question, language: spoken }, found),
    }
    const reply = await storeAndCount(db, { newAnswer, reservation, nowMs: clock.now() })
    const isQuoted = !chosen && deps.answerer === extractive
    return { reply, related: newAnswer.result.related ?? [], cached: cached !== undefined, isQuoted }
  } catch (error) {
    // A caller that received pieces and left is counted too. Otherwise it could read every sentence but the
    // last, without limit and at the owner's cost.
    if (hasRead && signal.aborted)
      await db.transaction().execute((transaction) => countAsks(transaction, [reservation]))
    else await giveBack(relaxed, reservation)
    // Whatever failed, a project that was removed meanwhile is reported as not found.
    await requireAskedProject(assistant, project.id)
    throw error
  } finally {
    leave()
  }
}
