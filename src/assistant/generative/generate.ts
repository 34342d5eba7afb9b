import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Answerer, AnswerPiece, QuestionWithPassages } from "../answerer.ts"
import { ModelFailure, toRefusal } from "../llm/failure.ts"
import type { ModelClient } from "../llm/model-client.ts"
import { answerPrompt } from "./answer-prompt.ts"
import { ensureLanguage } from "./ensure-language.ts"
import { detectLanguage } from "./language.ts"
import { parseSentences } from "./parse-sentences.ts"
import { verifySentence } from "./verify.ts"

/** Changes with the prompt and with the rules of verification. */
const version = "written-3"
/**
 * Below this, a question has so little in common with the documentation that it is not worth a call. Lower
 * than the extractive answerer's threshold, because the model finds answers in other words and notices itself
 * when passages do not answer. On three documentations, 90 to 100 % of the answerable questions pass; with 0.5
 * it would be 80 to 91 % (`bun test/bench/quality.ts`).
 */
export const leastConfidence = 0.15
/** About a page of text; a model that writes more has gone astray. */
const maxSentences = 20

/** Answers by a language model; every sentence is verified against the passages that it cites. */
export function generativeAnswerer(client: ModelClient, modelName: string): Answerer {
  /** Retries once, naming the language, when the answer is not in the detected language of the question. */
  async function* answer(question: QuestionWithPassages, signal: AbortSignal): AsyncGenerator<AnswerPiece> {
    const language = detectLanguage(question.question, question.language)
    if (!language) return yield* pieces(answerPrompt(question), signal)
    try {
      yield* ensureLanguage(language, pieces(answerPrompt(question, language), signal))
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind !== "language") throw error
      yield* ensureLanguage(language, pieces(answerPrompt(question, language, "again"), signal))
    }
  }

  async function* pieces(
    { prompt, shown }: ReturnType<typeof answerPrompt>,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPiece> {
    let count = 0
    for await (const sentence of parseSentences(client.write(prompt, signal))) {
      // A reply may arrive all at once, and verifying a sentence takes some milliseconds.
      await yieldToEventLoop()
      const piece = count < maxSentences ? verifySentence(sentence, shown) : undefined
      if (!piece) continue
      count++
      yield piece
    }
  }

  return {
    version: `${version} ${modelName}`,
    leastConfidence,
    enter(projectId) {
      try {
        return client.enter(projectId)
      } catch (error) {
        throw toRefusal(error)
      }
    },
    async *answer(question, signal) {
      try {
        yield* answer(question, signal)
      } catch (error) {
        throw toRefusal(error)
      }
    },
  }
}
