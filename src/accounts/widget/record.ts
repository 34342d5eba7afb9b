import { Type } from "@sinclair/typebox"
import { colorRule } from "../../base/color.ts"
import { line, oneOf, text, textOrNull, timeOrNull } from "../../http/schemas.ts"
import { maxIntroductionLength, maxSuggestionLength, maxSuggestions, maxTitleLength } from "./settings.ts"

/** The settings of a widget, as callers change them and as replies show them. */

const orNull = <Schema extends ReturnType<typeof text>>(schema: Schema) => Type.Union([schema, Type.Null()])

const position = oneOf(["right", "left"])

export const widgetChange = Type.Object(
  {
    title: Type.Optional(orNull(line({ maxLength: maxTitleLength }))),
    introduction: Type.Optional(orNull(text({ maxLength: maxIntroductionLength }))),
    suggestions: Type.Optional(
      Type.Array(text({ maxLength: maxSuggestionLength }), {
        maxItems: maxSuggestions,
        description: "questions that a visitor may choose instead of writing one",
      }),
    ),
    color: Type.Optional(
      orNull(Type.String({ pattern: colorRule.source, description: "`#0b5c8a`, in lower case" })),
    ),
    position: Type.Optional(position),
    contact_form: Type.Optional(
      orNull(text({ description: "id of a form of the project, by which visitors write to the owner" })),
    ),
    contact_field: Type.Optional(
      orNull(text({ description: "name of the field for the question; null: the first text area" })),
    ),
  },
  { $id: "WidgetSettingsChange" },
)

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
    answers_offered: Type.Integer({
      description: "messages of the last 30 days to which an answer was shown before they were sent",
    }),
    messages_spared: Type.Integer({ description: "those that were not sent then" }),
  },
  { $id: "WidgetSettings" },
)
