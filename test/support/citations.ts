import type { AnswerPiece } from "../../src/answering/answerer.ts"
import { type CitedAnswer, citationWriter } from "../../src/answering/ask/citations.ts"
import type { Passage } from "../../src/reading/formats/document.ts"

/** The cited answer of all `pieces`; undefined when none has a retrieved passage. */
export function citedAnswer(
  pieces: readonly AnswerPiece[],
  retrieved: readonly Passage[],
): CitedAnswer | undefined {
  const writer = citationWriter(retrieved, "Suite", "fr")
  for (const piece of pieces) writer.add(piece)
  return writer.answer()
}
