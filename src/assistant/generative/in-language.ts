import type { AnswerPiece } from "../answerer.ts"
import { ModelFailure } from "../llm/failure.ts"
import { isIn, type SpokenLanguage } from "./language.ts"

/**
 * The pieces of an answer, the first held back until they say enough to tell their language. Throws
 * ModelFailure `language`, before any piece, when it is not the one that is wanted; a later piece in another
 * language is left out. An answer that never says enough, such as a command alone, is given as it is.
 */
export async function* inLanguage(
  wanted: SpokenLanguage,
  pieces: AsyncIterable<AnswerPiece>,
): AsyncGenerator<AnswerPiece> {
  let held: AnswerPiece[] | undefined = []
  for await (const piece of pieces) {
    if (!held) {
      if (isIn(wanted, piece.markdown) !== false) yield piece
      continue
    }
    held.push(piece)
    const isWanted = isIn(wanted, held.map(({ markdown }) => markdown).join("\n\n"))
    if (isWanted === false) throw new ModelFailure("language")
    if (!isWanted) continue
    yield* held
    held = undefined
  }
  yield* held ?? []
}
