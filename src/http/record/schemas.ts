import { type TObject, type TSchema, Type } from "@sinclair/typebox"
import { originOf } from "../../base/origin.ts"
import { isLine, isLongerThan, maxEmailLength, maxUrlLength } from "../../base/text.ts"
import { parseTime } from "../../base/time.ts"
import { ruled, ruleOf, told } from "./rule.ts"

/** Shapes that many routes of the management API share. */

export const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, milliseconds" })
export const timeOrNull = orNull(time)
export const textOrNull = orNull(Type.String())
/** Upper bound of whole numbers: more than any limit needs, and exact in a JSON number. */
export const maxWholeNumber = 1_000_000_000
export const wholeOrNull = orNull(Type.Integer({ minimum: 1, maximum: maxWholeNumber }))

/** Characters that `trim` removes, for a character class. `\s` differs between regular expression engines. */
const space = "\\u0009-\\u000d\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
/** Also the line separators and what turns the direction of a text. */
const control = "\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069"

export interface TextOptions {
  minLength?: number
  maxLength?: number
}

/** A text that can be stored and given back unchanged. Lengths count code points. */
export function text(options: TextOptions = {}) {
  return Type.String({ pattern: "^[^\\u0000]*$", ...options })
}

/** A text that fits as a whole, or does not. */
export function matching(pattern: RegExp, options: Pick<TextOptions, "maxLength"> = {}) {
  return ruled(Type.String({ pattern: pattern.source, ...options }), {
    read: (typed: string) =>
      pattern.test(typed) && !isLongerThan(typed, maxLengthIn(options)) ? typed : undefined,
  })
}

/** A text of at least `least` characters after trimming. */
export function filledText(options: TextOptions = {}, least: 1 | 2 = 1) {
  const rest = least === 1 ? "" : `[^\\u0000]*[^${space}\\u0000]`
  const schema = Type.String({
    pattern: `^[^\\u0000]*[^${space}\\u0000]${rest}[^\\u0000]*$`,
    minLength: least,
    ...options,
  })
  return trimmed(schema, (text) => text.length >= least && !isLongerThan(text, maxLengthIn(options)))
}

/** A text that is not blank, without control characters. */
export function filledLine(options: TextOptions = {}) {
  const schema = Type.String({
    pattern: `^[^${control}]*[^${space}${control}][^${control}]*$`,
    minLength: 1,
    ...options,
  })
  return trimmed(schema, (text) => text !== "" && isLine(text, maxLengthIn(options)))
}

/** A text on one line, which may be empty. White space around it is ignored. */
export function line(options: TextOptions = {}) {
  const schema = Type.String({ pattern: `^[${space}]*[^${control}]*[${space}]*$`, ...options })
  return trimmed(schema, (text) => isLine(text, maxLengthIn(options)))
}

/** A text on one line; a blank one stands for null. */
export function lineOrNull(maxLength: number) {
  return blankAsNull(line({ maxLength }), (typed) => isLine(typed, maxLength))
}

/** A text, or null, which a blank one stands for too. White space around it is ignored. */
export function blankAsNull<Schema extends TSchema>(schema: Schema, isRight: (text: string) => boolean) {
  const read = (typed: string) => {
    const text = typed.trim()
    return text === "" || isRight(text) ? text || null : undefined
  }
  return ruled(orNull(schema), { read })
}

function trimmed<Schema extends TSchema>(schema: Schema, isRight: (text: string) => boolean): Schema {
  return ruled(schema, {
    read(value: string) {
      const text = value.trim()
      return isRight(text) ? text : undefined
    },
  })
}

function maxLengthIn({ maxLength = Number.POSITIVE_INFINITY }: TextOptions): number {
  return maxLength
}

export function email() {
  return Type.String({ format: "email", maxLength: maxEmailLength })
}

const octet = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
const host = [
  // The last label must not be a number. `--` marks international names, some of which are invalid.
  "([A-Za-z0-9_]+(-[A-Za-z0-9_]+)*\\.)*[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*",
  `${octet}(\\.${octet}){3}`,
  "\\[([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\\]",
]
const port = "(:([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?"
const path = "(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?"
const query = "(\\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?(#[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?"

/** An http or https address without user and password, which is stored as browsers write it. */
export function httpAddress({ query: hasQuery = true }: { query?: boolean } = {}) {
  const schema = Type.String({
    pattern: `^https?://(${host.join("|")})${port}${path}${hasQuery ? query : ""}$`,
    maxLength: maxUrlLength,
    description: "an international name may also be written in its own letters, which the pattern leaves out",
  })
  return ruled(schema, { read: (typed: string) => originOf(typed.trim()) && new URL(typed.trim()).href })
}

const zone = "(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])"
const clockTime = `T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?${zone}?`
const day = [
  "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])",
  "[0-9]{4}-(0[13-9]|1[0-2])-(29|30)",
  "[0-9]{4}-(0[13578]|1[02])-31",
  "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29",
]

export const dayOrTimePattern = `^(${day.join("|")})(${clockTime})?$`

/**
 * A day or a time, of the owner's time zone where it names none. It is read in milliseconds since 1970; a day stands
 * for its start, or with `isEnd` for its end.
 */
export function dayOrTime({ isEnd = false } = {}) {
  const schema = Type.Unsafe<number>({ type: "string", pattern: dayOrTimePattern })
  const read = (text: string, _: unknown, timezone: string | undefined) => {
    if (timezone === undefined) throw new Error("a time is read without the time zone of its owner")
    return parseTime(text, timezone, { isEnd })
  }
  return told(ruled(schema, { read }), "requests.time")
}

export function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export const projectId = {
  ...matching(/^[a-z0-9]{8,64}$/),
  description: "of a project of the workspace",
}

export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object({ items: Type.Array(item), next_cursor: textOrNull })
}

export function oneOf<const Word extends string>(words: readonly Word[]) {
  return Type.Unsafe<Word>({ type: "string", enum: [...words] })
}

/** The fields of a PATCH: those of the resource, none required. */
export function changeOf<Whole extends TObject>(whole: Whole) {
  return ruled(Type.Partial(whole, { $id: `${whole.$id}Change` }), ruleOf(whole))
}

/** The specification's error object (part 2 A3), with `fields` where fields are at fault. */
export const errorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      fields: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  },
  { $id: "Error" },
)

/** A cited passage: the specification's source object (part 2 A2). */
export const source = Type.Object({
  n: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  section: textOrNull,
  url: Type.String({ format: "uri" }),
})

/** Specification, part 2 A1: 2 to 1000 characters, white space around them not counted. */
export const questionText = Type.String({
  pattern: filledText({}, 2).pattern as string,
  minLength: 2,
  maxLength: 1000,
  description: "white space around it does not count",
})
