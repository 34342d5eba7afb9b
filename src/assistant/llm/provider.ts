/** What a model is asked to write. */
export interface Prompt {
  /** What it is to do. */
  system: string
  /** What it is to do it with. */
  user: string
  /** Of the JSON it is to answer with. */
  schema: JsonSchema
}

/** The part of JSON Schema that every provider understands. */
export type JsonSchema =
  | { type: "string" | "integer" | "boolean"; description?: string }
  | { type: "array"; items: JsonSchema; description?: string }
  | { type: "object"; properties: Record<string, JsonSchema> }

/** Whether a text is looked for or looks for others: some models tell the two apart. */
export type EmbeddingPurpose = "document" | "question"

/**
 * A server of language models: one file each. It calls once, without limits of time; it throws ModelFailure,
 * and ends the call when its signal is aborted.
 */
export interface Provider {
  /** Whatever changes what it writes. */
  name: string
  /** Whatever changes its vectors; undefined: it makes none. */
  embeddingName: string | undefined
  /** The text in pieces as they come; whole when it ends without throwing. */
  write(prompt: Prompt, signal: AbortSignal): AsyncIterable<string>
  /** One vector a text, in their order, all of one size, of any length. */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<number[][]>
}

/**
 * No reply to be written is larger, framing included: a long answer is some thousand tokens of a few hundred
 * bytes each.
 */
export const maxWrittenBytes = 4_000_000
/** A hundred vectors of 4,096 numbers in decimal. */
export const maxEmbeddingBytes = 16_000_000
