import { ModelFailure } from "./failure.ts"

/** A piece of a streamed reply, whichever provider sends it. */
export interface ReplyPart {
  /** May be empty. */
  text: string
  /** Whether the provider says that the reply is complete. */
  isLast: boolean
}

/**
 * Yields the texts of a reply. Throws ModelFailure `empty` when there was none, and `cut_off` when the reply
 * ended before its last part.
 */
export async function* completeText(parts: AsyncIterable<ReplyPart>): AsyncGenerator<string> {
  let hasText = false
  let isComplete = false
  for await (const { text, isLast } of parts) {
    if (text !== "") {
      hasText = true
      yield text
    }
    isComplete ||= isLast
  }
  if (!hasText) throw new ModelFailure("empty")
  if (!isComplete) throw new ModelFailure("cut_off")
}
