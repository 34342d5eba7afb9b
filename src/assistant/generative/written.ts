import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Answerer, AnswerPiece, Asked } from "../answerer.ts"
import type { ModelCalls } from "../llm/calls.ts"
import { ModelFailure } from "../llm/failure.ts"
import { refusalOf } from "../llm/refusal.ts"
import { answerPrompt } from "./answer-prompt.ts"
import { inLanguage } from "./in-language.ts"
import { languageOf } from "./language.ts"
import { verified } from "./verify.ts"
import { sentencesOf } from "./written-sentence.ts"

/** A change of the prompt or of what is verified makes another one. */
const version = "written-3"
/**
 * A question that shares almost nothing with the documentation is not worth a call. Milder than what the
 * extractive answerer asks: the model sees for itself when passages do not answer, and finds answers in other
 * words. On three documentations this lets 90 to 100 % of the answerable questions pass (0.5: 80 to 91 %).
 */
const leastConfidence = 0.15
/** A page of text: whoever writes more has lost the thread. */
const mostSentences = 20

/** Answers written by a language model, every sentence of which stands on passages it was shown. */
export function written(calls: ModelCalls, modelName: string): Answerer {
  /** In the question's language, where that can be told: a model that took another is told once more. */
  async function* answer(asked: Asked, signal: AbortSignal): AsyncGenerator<AnswerPiece> {
    const language = languageOf(asked.question, asked.language)
    if (!language) return yield* pieces(answerPrompt(asked), signal)
    try {
      yield* inLanguage(language, pieces(answerPrompt(asked, language), signal))
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind !== "language") throw error
      yield* inLanguage(language, pieces(answerPrompt(asked, language, "again"), signal))
    }
  }

  async function* pieces(
    { prompt, shown }: ReturnType<typeof answerPrompt>,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPiece> {
    let given = 0
    for await (const sentence of sentencesOf(calls.write(prompt, signal))) {
      // A reply may come all at once, and each of its sentences is looked at for some milliseconds.
      await yieldToEventLoop()
      const piece = given < mostSentences ? verified(sentence, shown) : undefined
      if (!piece) continue
      given++
      yield piece
    }
  }

  return {
    version: `${version} ${modelName}`,
    leastConfidence,
    enter() {
      try {
        return calls.enter()
      } catch (error) {
        throw refusalOf(error)
      }
    },
    async *answer(asked, signal) {
      try {
        yield* answer(asked, signal)
      } catch (error) {
        throw refusalOf(error)
      }
    },
  }
}
