import { parsedJson } from "../../base/text.ts"
import { ModelFailure } from "../llm/failure.ts"

/** A sentence as the model wrote it, not yet verified. */
export interface WrittenSentence {
  text: string
  /** Numbers of the passages it cites, from 1. */
  sources: number[]
}

interface WrittenAnswer {
  answerable: boolean
  sentences: WrittenSentence[]
}

/** Limit of the whole JSON; a usual answer has a hundredth of that. */
const maxCharacters = 64_000
/** Limit of list elements: each one causes everything before it to be parsed again. */
const maxElements = 100

/**
 * Parses the JSON of an answer while it streams, and yields each sentence as soon as it is complete; none when
 * `answerable` is false. Throws ModelFailure `not_json`, `wrong_schema` or `too_large`, possibly after
 * sentences.
 */
export async function* parseSentences(pieces: AsyncIterable<string>): AsyncGenerator<WrittenSentence> {
  const scanner = openJsonScanner()
  let yielded = 0
  for await (const piece of pieces) {
    for (const complete of scanner.elementEnds(piece)) {
      const answer = toWrittenAnswer(parsedJson(`${complete}]}`))
      if (!answer?.answerable) continue
      for (const sentence of answer.sentences.slice(yielded)) yield sentence
      yielded = Math.max(yielded, answer.sentences.length)
    }
  }
  const value = parsedJson(unwrapped(scanner.text()))
  if (value === undefined) throw new ModelFailure("not_json")
  const answer = toWrittenAnswer(value)
  if (!answer) throw new ModelFailure("wrong_schema")
  if (answer.answerable) for (const sentence of answer.sentences.slice(yielded)) yield sentence
}

/** Tracks the nesting of JSON as it streams in. */
function openJsonScanner() {
  let text = ""
  let at = 0
  let depth = 0
  let inString = false
  let elements = 0

  return {
    text: () => text,
    /** Yields the text so far at the end of each element of a list in the outermost object. */
    *elementEnds(piece: string): Generator<string> {
      text += piece
      if (text.length > maxCharacters)
        throw new ModelFailure("too_large", { detail: `over ${maxCharacters} characters of answer` })
      for (; at < text.length; at++) {
        const character = text[at]
        if (inString) {
          if (character === "\\") at++
          else if (character === '"') inString = false
        } else if (character === '"') inString = true
        else if (character === "{" || character === "[") depth++
        else if (character === "}" || character === "]") {
          depth--
          if (depth === 2 && ++elements > maxElements) throw new ModelFailure("wrong_schema")
          if (depth === 2) yield text.slice(0, at + 1)
        }
      }
    },
  }
}

/** Some models wrap their JSON in a fence, whatever the prompt says. */
function unwrapped(text: string): string {
  const fenced = text.trim()
  const [opening] = /^```(?:json)?[^\S\n]*\n/.exec(fenced) ?? []
  return opening !== undefined && fenced.endsWith("```") ? fenced.slice(opening.length, -3) : text
}

function toWrittenAnswer(value: unknown): WrittenAnswer | undefined {
  const { answerable, sentences } = (value ?? {}) as Partial<WrittenAnswer>
  if (typeof answerable !== "boolean") return undefined
  if (sentences === undefined || sentences === null)
    return answerable ? undefined : { answerable, sentences: [] }
  if (!Array.isArray(sentences)) return undefined
  const sound = sentences.map(withNumbers)
  return sound.every(isSentence) ? { answerable, sentences: sound } : undefined
}

/** Some models write source numbers as strings. */
function withNumbers(value: unknown): unknown {
  const { text, sources } = (value ?? {}) as { text?: unknown; sources?: unknown }
  if (!Array.isArray(sources)) return value
  const isNumeral = (source: unknown) => typeof source === "string" && /^\d{1,3}$/.test(source)
  return { text, sources: sources.map((source) => (isNumeral(source) ? Number(source) : source)) }
}

function isSentence(value: unknown): value is WrittenSentence {
  const { text, sources } = (value ?? {}) as Partial<WrittenSentence>
  return (
    typeof text === "string" &&
    Array.isArray(sources) &&
    sources.every((source) => typeof source === "number")
  )
}
