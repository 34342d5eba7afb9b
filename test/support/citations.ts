import type { AnswerPiece } from "../../src/assistant/answerer.ts"
import { type CitedAnswer, citationWriter } from "../../src/assistant/ask/citations.ts"
import type { Passage } from "../../src/assistant/documents/document.ts"

/** The cited answer of all `pieces`; undefined when none has a retrieved passage. */
export function citedAnswer(
  pieces: readonly AnswerPiece[],
  retrieved: readonly Passage[],
): CitedAnswer | undefined {
  const writer = citationWriter(retrieved, "Suite", "fr")
  for (const piece of pieces) writer.add(piece)
  return writer.answer()
}
