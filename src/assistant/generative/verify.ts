import type { AnswerPiece } from "../answerer.ts"
import type { Passage } from "../documents/document.ts"
import { hasForeignAddress } from "./addresses.ts"
import { isGrounded } from "./grounded.ts"
import type { WrittenSentence } from "./parse-sentences.ts"
import { simpleMarkdown } from "./simple-markdown.ts"

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
