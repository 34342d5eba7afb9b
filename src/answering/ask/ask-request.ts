import { detail, Refusal } from "../../base/errors.ts"
import { isObject } from "../../base/names.ts"
import { asTyped } from "../../base/text.ts"
import { jsonIn } from "../../http/body.ts"

/** A valid ask request (specification, part 2 A1). */
export interface AskRequest {
  project: string
  /** Trimmed, without invisible characters. */
  question: string
  page: string | undefined
  /** Ids of earlier answers. */
  previous: string[]
}

/** Specification, part 8. 32 KB is 32,768 bytes; lengths are counted in Unicode code points. */
export const maxAskBytes = 32_768
const projectRule = /^[a-z0-9]{8,64}$/
const questionLength = { min: 2, max: 1000 }
const maxPageLength = 512
export const maxPrevious = 3

/**
 * Parses the body of an ask request; unknown fields are ignored. Throws Refusal `invalid_request`, whose
 * detail names the rule that the first wrong field breaks.
 */
export function parseAskRequest(body: Uint8Array): AskRequest {
  return askRequestIn(parseObject(body))
}

/** The same of what was parsed already. */
export function askRequestIn(fields: Record<string, unknown>): AskRequest {
  return {
    project: readProjectId(fields["project"]),
    question: readQuestion(fields["question"]),
    page: readPage(fields["page"]),
    previous: readPrevious(fields["previous"]),
  }
}

/** Parses a body that is a JSON object. Throws Refusal `invalid_request`. */
export function parseObject(body: Uint8Array): Record<string, unknown> {
  const value = jsonIn(body)
  if (!isObject(value)) throw invalid("unreadable")
  return value
}

export function readProjectId(value: unknown): string {
  if (typeof value !== "string" || !projectRule.test(value)) throw invalid("project")
  return value
}

function readQuestion(value: unknown): string {
  if (typeof value !== "string") throw invalid("questionMissing")
  // A lone surrogate cannot be stored or sent in UTF-8.
  const text = value.trim().toWellFormed()
  const length = codePoints(text)
  if (length < questionLength.min) throw invalid("questionTooShort")
  if (length > questionLength.max) throw invalid("questionTooLong")
  // A question of invisible characters alone is asked as it came, and finds nothing.
  return asTyped(text).trim() || text
}

export function readPage(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== "string" || !value.startsWith("/")) throw invalid("page")
  if (codePoints(value) > maxPageLength) throw invalid("pageTooLong")
  return value.toWellFormed()
}

function readPrevious(value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every((id) => typeof id === "string")) throw invalid("previous")
  if (value.length > maxPrevious) throw invalid("tooManyPrevious")
  return value
}

export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** `rule` is the key of the message. The log and the command line show it as it is. */
export function invalid(rule: string): Refusal {
  return new Refusal("invalid_request", detail(`assistant.${rule}`))
}
