import { ModelFailure } from "../llm/failure.ts"

/** A sentence as the model gave it: nothing of it is believed yet. */
export interface WrittenSentence {
  text: string
  /** Numbers of passages, from 1. */
  sources: number[]
}

interface WrittenAnswer {
  answerable: boolean
  sentences: WrittenSentence[]
}

/** Of the whole JSON: an answer is a hundredth of that. */
const maxCharacters = 64_000
/** Each is looked at together with all before it. */
const mostElements = 100

/**
 * The sentences of an answer's JSON, each as soon as it is complete; none when it says that it cannot answer.
 * Throws ModelFailure `not_json`, `wrong_schema` or `too_large`, which may come after sentences.
 */
export async function* sentencesOf(pieces: AsyncIterable<string>): AsyncGenerator<WrittenSentence> {
  const scan = openScan()
  let given = 0
  for await (const piece of pieces) {
    for (const complete of scan.ends(piece)) {
      const answer = answerOf(parsed(`${complete}]}`))
      if (!answer?.answerable) continue
      for (const sentence of answer.sentences.slice(given)) yield sentence
      given = Math.max(given, answer.sentences.length)
    }
  }
  const value = parsed(unwrapped(scan.text()))
  if (value === undefined) throw new ModelFailure("not_json")
  const answer = answerOf(value)
  if (!answer) throw new ModelFailure("wrong_schema")
  if (answer.answerable) for (const sentence of answer.sentences.slice(given)) yield sentence
}

/** Follows the nesting of JSON as it comes in. */
function openScan() {
  let text = ""
  let at = 0
  let depth = 0
  let inString = false
  let elements = 0

  return {
    text: () => text,
    /** The text up to each end of an element of a list in the outermost object. */
    *ends(piece: string): Generator<string> {
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
          if (depth === 2 && ++elements > mostElements) throw new ModelFailure("wrong_schema")
          if (depth === 2) yield text.slice(0, at + 1)
        }
      }
    },
  }
}

/** Some models put their JSON into a fence, asked or not. */
function unwrapped(text: string): string {
  const fenced = text.trim()
  const [opening] = /^```(?:json)?[^\S\n]*\n/.exec(fenced) ?? []
  return opening !== undefined && fenced.endsWith("```") ? fenced.slice(opening.length, -3) : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function answerOf(value: unknown): WrittenAnswer | undefined {
  const { answerable, sentences } = (value ?? {}) as Partial<WrittenAnswer>
  if (typeof answerable !== "boolean") return undefined
  if (sentences === undefined || sentences === null)
    return answerable ? undefined : { answerable, sentences: [] }
  if (!Array.isArray(sentences)) return undefined
  const sound = sentences.map(withNumbers)
  return sound.every(isSentence) ? { answerable, sentences: sound } : undefined
}

/** Some models write the number of a source as a text. */
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
