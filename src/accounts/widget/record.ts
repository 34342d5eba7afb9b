import { type TSchema, Type } from "@sinclair/typebox"
import { colorRule } from "../../base/color.ts"
import { isLine, isLongerThan } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { line, oneOf, text, textOrNull, timeOrNull } from "../../http/record/schemas.ts"
import { maxIntroductionLength, maxSuggestionLength, maxSuggestions, maxTitleLength } from "./settings.ts"

/** The settings of a widget, as callers change them and as replies show them. */

/** A blank text stands for null: the widget's own words. */
function orNull<Schema extends TSchema>(schema: Schema, isRight: (text: string) => boolean) {
  const read = (typed: string) => {
    const trimmed = typed.trim()
    return trimmed === "" || isRight(trimmed) ? trimmed || null : undefined
  }
  return ruled(Type.Union([schema, Type.Null()]), { read })
}

const title = orNull(line({ maxLength: maxTitleLength }), (typed) => isLine(typed, maxTitleLength))
const introduction = orNull(
  text({ maxLength: maxIntroductionLength }),
  (typed) => !isLongerThan(typed, maxIntroductionLength),
)
const color = ruled(Type.Union([Type.String({ pattern: colorRule.source }), Type.Null()]), {
  read(typed: string) {
    const small = typed.trim().toLowerCase()
    return small === "" || colorRule.test(small) ? small || null : undefined
  },
})

const position = oneOf(["right", "left"])

const suggestions = ruled(
  Type.Array(
    told(
      ruled(text({ maxLength: maxSuggestionLength }), {
        read(typed: string) {
          const trimmed = typed.trim()
          const isRight = trimmed.length !== 1 && !isLongerThan(trimmed, maxSuggestionLength)
          return isRight ? trimmed : undefined
        },
      }),
      "accounts.widgetSuggestion",
      { maximum: maxSuggestionLength },
    ),
    { maxItems: maxSuggestions },
  ),
  { read: (typed: string[]) => [...new Set(typed)].filter(Boolean) },
)

const described = Type.Object(
  {
    title: Type.Optional(told(title, "accounts.widgetTitle", { maximum: maxTitleLength })),
    introduction: Type.Optional(
      told(introduction, "accounts.widgetIntroduction", { maximum: maxIntroductionLength }),
    ),
    suggestions: Type.Optional(told(suggestions, "accounts.widgetSuggestions", { maximum: maxSuggestions })),
    color: Type.Optional(told(color, "accounts.widgetColor")),
    position: Type.Optional(position),
    contact_form: Type.Optional(Type.Union([text(), Type.Null()])),
    contact_field: Type.Optional(Type.Union([text(), Type.Null()])),
  },
  { $id: "WidgetSettingsChange" },
)
export const widgetChange = told(described, "accounts.invalidWidget")

export const widgetRecord = Type.Object(
  {
    title: textOrNull,
    introduction: textOrNull,
    suggestions: Type.Array(Type.String()),
    color: textOrNull,
    position,
    contact_form: textOrNull,
    contact_field: textOrNull,
    seen_at: timeOrNull,
    answers_offered: Type.Integer(),
    messages_spared: Type.Integer(),
  },
  { $id: "WidgetSettings" },
)
