import { type TObject, type TSchema, Type } from "@sinclair/typebox"

/** Shapes that many routes of the management API share. */

export const time = Type.String({ format: "date-time", description: "ISO 8601, UTC, milliseconds" })
export const timeOrNull = Type.Union([time, Type.Null()])
export const textOrNull = Type.Union([Type.String(), Type.Null()])
export const wholeOrNull = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])

/** What every list route answers. */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object({ items: Type.Array(item), next_cursor: textOrNull })
}

/** One of some words. */
export function oneOf<Word extends string>(words: readonly Word[], options: { description?: string } = {}) {
  return Type.Unsafe<Word>({ type: "string", enum: [...words], ...options })
}

/** The fields of a PATCH: those of the resource, none required. */
export function changeOf<Whole extends TObject>(whole: Whole) {
  return Type.Partial(whole, { $id: `${whole.$id}Change` })
}

/** The specification's error object (part 2 A3), with `fields` where fields are at fault. */
export const errorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String({ description: "a sentence in French, to be shown unchanged" }),
      fields: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  },
  { $id: "Error" },
)
