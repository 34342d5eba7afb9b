import type { Answerer } from "../answers/answerer.ts"
import { answerPrompt } from "./answer-prompt.ts"
import type { ModelCalls } from "./calls.ts"
import { refusalOf } from "./refusal.ts"
import { verified } from "./verify.ts"
import { sentencesOf } from "./written-sentence.ts"

/** A change of the prompt or of what is verified makes another one. */
const version = "written-1"
/**
 * A question that shares almost nothing with the documentation is not worth a call. Milder than what the extractive answerer
 * asks: the model sees for itself when passages do not answer, and finds answers in other words. On three documentations
 * this lets 90 to 100 % of the answerable questions pass (0.5: 80 to 91 %).
 */
const leastConfidence = 0.15
/** A page of text: whoever writes more has lost the thread. */
const mostSentences = 20

/** Answers written by a language model, every sentence of which stands on passages it was shown. */
export function written(calls: ModelCalls, modelName: string): Answerer {
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
      const { prompt, shown } = answerPrompt(asked)
      let pieces = 0
      try {
        for await (const sentence of sentencesOf(calls.write(prompt, signal))) {
          const piece = verified(sentence, shown)
          if (piece && pieces++ < mostSentences) yield piece
        }
      } catch (error) {
        throw refusalOf(error)
      }
    },
  }
}
