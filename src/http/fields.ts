import { Refusal } from "../errors.ts"
import { sentences } from "./sentences.ts"

/**
 * Reads the fields of a JSON object by type. What has another type is remembered, and `refuseWrong` then names
 * every such field at once. An absent field is undefined; what a value may be is for the caller to judge.
 */
export interface Fields {
  /** `maxLength` in code points. */
  text(name: string, maxLength?: number): string | undefined
  texts(name: string): string[] | undefined
  flag(name: string): boolean | undefined
  /** Whole, at least `minimum`; null stands for "none of its own". */
  wholeOrNull(name: string, minimum: number): number | null | undefined
  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined
  /** Throws Refusal `invalid_request` when a field was absent that is required, or not what was read. */
  refuseWrong(...required: string[]): void
}

export function fieldsOf(body: Record<string, unknown>): Fields {
  const wrong: Record<string, string> = {}

  function read<Value>(name: string, is: (value: unknown) => boolean, sentence: string): Value | undefined {
    const value = body[name]
    if (value === undefined) return undefined
    if (is(value)) return value as Value
    wrong[name] = sentence
    return undefined
  }

  return {
    text: (name, maxLength = Number.POSITIVE_INFINITY) =>
      read(
        name,
        (value) => isText(value) && [...(value as string)].length <= maxLength,
        maxLength === Number.POSITIVE_INFINITY ? sentences.text : sentences.textUpTo(maxLength),
      ),
    texts: (name) => read(name, (value) => Array.isArray(value) && value.every(isText), sentences.texts),
    flag: (name) => read(name, (value) => typeof value === "boolean", sentences.flag),
    wholeOrNull: (name, minimum) =>
      read(
        name,
        (value) => value === null || (Number.isSafeInteger(value) && (value as number) >= minimum),
        sentences.wholeOrNull(minimum),
      ),
    oneOf: (name, choices) =>
      read(name, (value) => choices.some((choice) => choice === value), sentences.oneOf(choices)),
    refuseWrong(...required) {
      for (const name of required) if (body[name] === undefined) wrong[name] ??= sentences.required
      if (Object.keys(wrong).length > 0)
        throw new Refusal("invalid_request", sentences.wrongFields, { fields: wrong })
    },
  }
}

/** A lone surrogate or a NUL cannot be stored and given back unchanged. */
function isText(value: unknown): boolean {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0")
}
