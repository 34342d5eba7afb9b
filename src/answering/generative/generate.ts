import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Passage } from "../../reading/formats/document.ts"
import type { Answerer, AnswerPiece, QuestionWithPassages } from "../answerer.ts"
import { ModelFailure, toRefusal } from "../llm/failure.ts"
import type { ModelClient } from "../llm/model-client.ts"
import { hasForeignAddress } from "./addresses.ts"
import { agreementWith } from "./agreement.ts"
import { answerPrompt } from "./answer-prompt.ts"
import { isGrounded } from "./grounded.ts"
import { detectLanguage, isInLanguage, type SpokenLanguage } from "./language.ts"
import { parseSentences, type WrittenSentence } from "./parse-sentences.ts"
import { simpleMarkdown } from "./simple-markdown.ts"

/** Changes with the prompt and with the rules of verification. */
const version = "written-4"
/**
 * Below this, a question has so little in common with the documentation that it is not worth a call. Lower
 * than the extractive answerer's threshold, because the model finds answers in other words and notices itself
 * when passages do not answer. On three documentations, 90 to 100 % of the answerable questions pass; with 0.5
 * it would be 80 to 91 % (`bun test/bench/quality.ts`).
 */
export const leastConfidence = 0.15
/** About a page of text; a model that writes more has gone astray. */
const maxSentences = 20

/**
 * Answers by a language model; every sentence is compared with the passages that it cites before it is passed on.
 */
export function generativeAnswerer(client: ModelClient, modelName: string): Answerer {
  /** Retries once, naming the language, when the answer is not in the detected language of the question. */
  async function* answer(question: QuestionWithPassages, signal: AbortSignal): AsyncGenerator<AnswerPiece> {
    const language = detectLanguage(question.question, question.language)
    const attempt = (again?: "again") => {
      const written = pieces(answerPrompt(question, language, again), signal)
      return inAgreement(question, language, ensureLanguage(language, written), signal)
    }
    try {
      yield* attempt()
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind !== "language") throw error
      yield* attempt("again")
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

/**
 * Verifies a sentence of a model. It must cite passages that were shown, be simple Markdown, and have no
 * number, option, code identifier or address that those passages lack. undefined when it must be dropped.
 */
export function verifySentence(
  { text, sources }: WrittenSentence,
  shown: readonly Passage[],
): AnswerPiece | undefined {
  const passages = [...new Set(sources)].flatMap((source) =>
    Number.isInteger(source) ? (shown[source - 1] ?? []) : [],
  )
  if (passages.length === 0) return undefined
  const markdown = simpleMarkdown(text)
  if (markdown === undefined) return undefined
  if (hasForeignAddress(markdown, passages) || !isGrounded(markdown, passages)) return undefined
  return { markdown, passages }
}

/** Drops pieces that do not agree with the passages that they cite, and citations that do not support their piece. */
async function* inAgreement(
  question: QuestionWithPassages,
  language: SpokenLanguage | undefined,
  pieces: AsyncIterable<AnswerPiece>,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  const agreeing = agreementWith(question, language)
  for await (const piece of pieces) {
    // Each takes some milliseconds, and the pieces held for their language come all at once.
    await yieldToEventLoop()
    const passages = await agreeing(piece, signal)
    if (passages.length > 0) yield { ...piece, passages }
  }
}

/**
 * Passes on the pieces of an answer, holding the first ones back until their language is known. Throws
 * ModelFailure `language`, before any piece, when it is not the expected one. Drops a later piece in another
 * language. An answer too short to tell its language, such as a mere command, passes unchanged.
 */
async function* ensureLanguage(
  expected: SpokenLanguage | undefined,
  pieces: AsyncIterable<AnswerPiece>,
): AsyncGenerator<AnswerPiece> {
  if (!expected) return yield* pieces
  let held: AnswerPiece[] | undefined = []
  for await (const piece of pieces) {
    if (!held) {
      if (isInLanguage(expected, piece.markdown) !== false) yield piece
      continue
    }
    held.push(piece)
    const isExpected = isInLanguage(expected, held.map(({ markdown }) => markdown).join("\n\n"))
    if (isExpected === false) throw new ModelFailure("language")
    if (!isExpected) continue
    yield* held
    held = undefined
  }
  yield* held ?? []
}
