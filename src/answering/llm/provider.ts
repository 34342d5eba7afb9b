/** A request for structured output. */
export interface Prompt {
  /** The instructions. */
  system: string
  /** The data that the instructions are about. */
  user: string
  /** Schema of the JSON to write. */
  schema: JsonSchema
}

/** The subset of JSON Schema that every provider understands. */
export type JsonSchema =
  | { type: "string" | "integer" | "boolean"; description?: string }
  | { type: "array"; items: JsonSchema; description?: string }
  | { type: "object"; properties: Record<string, JsonSchema> }

/** Some models make different vectors for documents and for queries. */
export type EmbeddingPurpose = "document" | "query"

/**
 * A server of language models; each has a file of its own. A method makes one call, without a timeout. It
 * throws ModelFailure, and ends the call when its signal is aborted.
 */
export interface Provider {
  /** Changes with everything that changes its answers: provider and model. */
  name: string
  /** Changes with everything that changes its vectors; undefined when it makes none. */
  embeddingName: string | undefined
  /** Yields the text in pieces. The text is complete when this ends without throwing. */
  write(prompt: Prompt, signal: AbortSignal): AsyncIterable<string>
  /** Returns one vector for each text, in the same order. All have one size; their length may not be 1. */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<number[][]>
}

/**
 * Limit of a written reply, framing included. A long answer is some thousand tokens, each in an event of a
 * few hundred bytes.
 */
export const maxWrittenBytes = 4_000_000
/** Room for a hundred vectors of 4,096 numbers in decimal. */
export const maxEmbeddingBytes = 16_000_000
