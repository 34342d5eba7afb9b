import { Type } from "@sinclair/typebox"
import { languages } from "../accounts/projects/record.ts"
import { maxSuggestions } from "../accounts/widget/settings.ts"
import { feedbackReasons } from "../answering/ask/feedback.ts"
import { maxExcerptCharacters } from "../answering/ask/next-pages.ts"
import { maxFoundPages, maxFoundSections } from "../answering/search/search.ts"
import { maxQueryLength } from "../answering/search/visitor-search.ts"
import { oneOf, orNull, questionText, source, textOrNull } from "../http/record/schemas.ts"

/**
 * Request and reply bodies of the ask route, of feedback and of related pages, for `openapi.json`.
 * `parseAskRequest` checks the ask request itself, because the specification fixes the order of its rules.
 */

/** Specification, part 2 A1. */
export const askRequest = Type.Object(
  {
    project: Type.String({ pattern: "^[a-z0-9]{8,64}$" }),
    question: questionText,
    page: Type.Optional(Type.String({ pattern: "^/", maxLength: 512 })),
    previous: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
  },
  { $id: "AskRequest" },
)

/** Specification, part 2 A2. */
export const askReply = Type.Object(
  {
    id: Type.String(),
    status: oneOf(["answered", "no_answer"]),
    answer: Type.String(),
    sources: Type.Array(source),
  },
  { $id: "AskReply" },
)

/** For a `no_answer`, sections that may hold it; for an `answered`, the next best passages. With their lines. */
export const relatedPages = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        title: Type.String(),
        section: textOrNull,
        url: Type.String(),
        excerpt: Type.Optional(Type.String({ maxLength: maxExcerptCharacters })),
      }),
      { maxItems: 3 },
    ),
  },
  { $id: "RelatedPages" },
)

export const searchRequest = Type.Object(
  {
    project: Type.String({ pattern: "^[a-z0-9]{8,64}$" }),
    q: Type.String({ minLength: 1, maxLength: maxQueryLength }),
    page: Type.Optional(Type.String({ pattern: "^/", maxLength: 512 })),
  },
  { $id: "SearchRequest" },
)

const markedText = Type.Object({
  text: Type.String(),
  marks: Type.Array(Type.Object({ from: Type.Integer({ minimum: 0 }), to: Type.Integer({ minimum: 0 }) })),
})

export const foundPages = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        title: markedText,
        url: Type.String(),
        sections: Type.Array(
          Type.Object({
            title: markedText,
            url: Type.String(),
            excerpt: orNull(markedText),
          }),
          { maxItems: maxFoundSections },
        ),
      }),
      { maxItems: maxFoundPages },
    ),
  },
  { $id: "FoundPages" },
)

export const feedback = Type.Object(
  {
    useful: Type.Boolean(),
    reason: Type.Optional(oneOf(feedbackReasons)),
  },
  { $id: "Feedback" },
)

export const openedPassage = Type.Object(
  { n: Type.Integer({ minimum: 1, maximum: 3 }) },
  { $id: "OpenedPassage" },
)

const widgetTexts = Type.Object({
  assistant: Type.String(),
  searching: Type.String(),
  notice: Type.String(),
  write: Type.String(),
  write_failed: Type.String(),
  thanks: Type.String(),
  why: Type.String(),
  reasons: Type.Object({
    wrong: Type.String(),
    incomplete: Type.String(),
    outdated: Type.String(),
    other: Type.String(),
  }),
})

export const shownWidget = Type.Object(
  {
    title: textOrNull,
    introduction: textOrNull,
    suggestions: Type.Array(Type.String(), { maxItems: maxSuggestions }),
    color: textOrNull,
    text_color: textOrNull,
    position: oneOf(["right", "left"]),
    theme: oneOf(["site", "light", "dark"]),
    button: textOrNull,
    language: orNull(oneOf(languages)),
    project_language: oneOf(languages),
    texts: Type.Object({ fr: widgetTexts, en: widgetTexts }),
    contact: Type.Boolean(),
    search: Type.Boolean(),
    look: oneOf(["guichet", "dsfr"]),
    style: Type.String(),
    started: Type.Optional(Type.String()),
  },
  { $id: "Widget" },
)

export const contactQuery = Type.Object({
  started: Type.Optional(Type.String()),
  proves: Type.Optional(oneOf(["yes"])),
})

export const contactForm = Type.Object(
  {
    form: Type.String(),
    html: Type.String(),
    field: textOrNull,
    started: Type.String(),
  },
  { $id: "ContactForm" },
)

export const checkedMessage = Type.Object(
  { text: Type.String({}) },
  { $id: "CheckedMessage", additionalProperties: true },
)

export const messageAnswer = Type.Omit(askReply, ["id"], { $id: "MessageAnswer" })
