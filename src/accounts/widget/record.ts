import { Type } from "@sinclair/typebox"
import { colorRule } from "../../base/color.ts"
import { isLongerThan } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import {
  blankAsNull,
  httpAddress,
  lineOrNull,
  oneOf,
  orNull,
  text,
  textOrNull,
  timeOrNull,
} from "../../http/record/schemas.ts"
import { languages } from "../projects/record.ts"
import {
  maxButtonLength,
  maxIntroductionLength,
  maxSuggestionLength,
  maxSuggestions,
  maxTitleLength,
} from "./settings.ts"

/** The settings of a widget, as callers change them and as replies show them. */

const title = lineOrNull(maxTitleLength)
const introduction = blankAsNull(
  text({ maxLength: maxIntroductionLength }),
  (typed) => !isLongerThan(typed, maxIntroductionLength),
)
const button = lineOrNull(maxButtonLength)
const color = ruled(orNull(Type.String({ pattern: colorRule.source })), {
  read(typed: string) {
    const small = typed.trim().toLowerCase()
    return small === "" || colorRule.test(small) ? small || null : undefined
  },
})

const position = oneOf(["right", "left"])
const theme = oneOf(["site", "light", "dark"])
const look = oneOf(["guichet", "dsfr"])
const language = orNull(oneOf(languages))

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
    theme: Type.Optional(theme),
    button: Type.Optional(told(button, "accounts.widgetButton", { maximum: maxButtonLength })),
    language: Type.Optional(language),
    logo: Type.Optional(
      told(
        Type.Union([httpAddress({ query: false }), Type.Literal(""), Type.Null()]),
        "accounts.logoAddress",
      ),
    ),
    contact_form: Type.Optional(orNull(text())),
    contact_field: Type.Optional(orNull(text())),
    search: Type.Optional(Type.Boolean()),
    look: Type.Optional(look),
    state_site: Type.Optional(Type.Boolean()),
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
    theme,
    button: textOrNull,
    language,
    logo: textOrNull,
    contact_form: textOrNull,
    contact_field: textOrNull,
    search: Type.Boolean(),
    look,
    state_site: Type.Boolean(),
    seen_at: timeOrNull,
    answers_offered: Type.Integer(),
    messages_spared: Type.Integer(),
  },
  { $id: "WidgetSettings" },
)
