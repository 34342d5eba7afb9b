import type { AnswerPiece } from "../answerer.ts"
import { ModelFailure } from "../llm/failure.ts"
import { isInLanguage, type SpokenLanguage } from "./language.ts"

/**
 * Passes on the pieces of an answer, holding the first ones back until their language is known. Throws
 * ModelFailure `language`, before any piece, when it is not the expected one. Drops a later piece in another
 * language. An answer too short to tell its language, such as a mere command, passes unchanged.
 */
export async function* ensureLanguage(
  expected: SpokenLanguage,
  pieces: AsyncIterable<AnswerPiece>,
): AsyncGenerator<AnswerPiece> {
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
