import type { AnswerPiece } from "../answerer.ts"
import type { Passage } from "../documents/document.ts"
import { hasForeignAddress } from "./addresses.ts"
import { isGrounded } from "./grounded.ts"
import { simpleMarkdown } from "./simple-markdown.ts"
import type { WrittenSentence } from "./written-sentence.ts"

/**
 * What may be said of what a model wrote: simple Markdown on passages that it was shown, whose every number,
 * option, code identifier and address stands in one of those it names. undefined when that is not so: then
 * the sentence is dropped.
 */
export function verified(
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
