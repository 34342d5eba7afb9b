import { type Static, Type } from "@sinclair/typebox"
import { feedbackReasons } from "../../assistant/ask/feedback.ts"
import { partReasons } from "../../assistant/documents/document.ts"
import { dayOrTime, oneOf, source, textOrNull, time, timeOrNull } from "../../http/schemas.ts"

/** Request and response bodies of feeds, indexing and questions. */

const kinds = ["dir", "sitemap", "llms"] as const

export const feedAnswer = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(kinds),
    address: Type.String(),
    base_url: textOrNull,
    url_style: Type.Union([Type.String(), Type.Null()], {
      description: "of a folder: auto, clean, html or slash",
    }),
    generator: Type.Union([Type.String(), Type.Null()], {
      description: "of a folder: the site generator that is set, or auto",
    }),
    generator_found: Type.Union([Type.String(), Type.Null()], {
      description:
        "of a folder: the site generator by whose rules it was read; null when none was recognised",
    }),
    include: Type.Array(Type.String()),
    exclude: Type.Array(Type.String()),
    last_read_at: timeOrNull,
  },
  { $id: "Feed" },
)
export type FeedAnswer = Static<typeof feedAnswer>

export const synonymsAnswer = Type.Object(
  { id: Type.String(), words: Type.Array(Type.String()), created_at: time },
  { $id: "Synonyms" },
)
export type SynonymsAnswer = Static<typeof synonymsAnswer>

const trouble = {
  sentence: Type.String({ description: "in French" }),
  reason: Type.String({ description: "in English, with the particulars" }),
  isForcible: Type.Boolean(),
}

export const indexRunAnswer = Type.Object(
  {
    state: oneOf(["waiting", "running", "ended", "interrupted"]),
    started_at: timeOrNull,
    ended_at: timeOrNull,
    phase: Type.Union([oneOf(["reading", "building", "embedding"]), Type.Null()]),
    done: Type.Integer(),
    total: Type.Union([Type.Integer(), Type.Null()]),
    outcome: Type.Union([
      Type.Object({
        documents: Type.Integer(),
        passages: Type.Integer(),
        unchanged: Type.Integer(),
        removed: Type.Integer(),
        seconds: Type.Number(),
        skipped: Type.Integer(),
        vectorFailure: Type.Optional(
          Type.String({ description: "in English: why words alone find the passages" }),
        ),
        refused: Type.Array(Type.Object({ ...trouble, feedId: Type.String() })),
      }),
      Type.Object({ trouble: Type.Object(trouble) }),
      Type.Null(),
    ]),
  },
  { $id: "IndexRun" },
)
export type IndexRunAnswer = Static<typeof indexRunAnswer>

export const pageSearch = Type.Object({
  search: Type.Optional(Type.String({ description: "a part of the address or title" })),
})

export const documentAnswer = Type.Object(
  { id: Type.String(), url: Type.String(), title: Type.String(), read_at: time },
  { $id: "Document" },
)

export const pageAnswer = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], { description: "null for a page that was left out" }),
    page: Type.String({ description: "its name in the feed" }),
    url: textOrNull,
    title: textOrNull,
    read_at: timeOrNull,
    reason: Type.Union([Type.String(), Type.Null()], {
      description: "why the page was left out; null when it was read",
    }),
    detail: Type.Union([Type.String(), Type.Null()], {
      description: "in French, with the particulars of `reason`",
    }),
    text: Type.Array(
      Type.Object({
        headings: Type.Array(Type.String()),
        anchor: textOrNull,
        markdown: Type.String(),
      }),
      { description: "what was read, section by section" },
    ),
    truncated: Type.Boolean({ description: "whether the page goes on after `text`" }),
    left_out: Type.Array(
      Type.Object({
        reason: oneOf(partReasons),
        why: Type.String({ description: "in French" }),
        text: Type.String({ description: "its first words" }),
      }),
    ),
  },
  { $id: "Page" },
)
export type PageAnswer = Static<typeof pageAnswer>

export const leftOutPageAnswer = Type.Object(
  { feed: Type.String(), page: Type.String(), reason: Type.String(), detail: textOrNull },
  { $id: "LeftOutPage" },
)

export const answersQuery = Type.Object({
  status: Type.Optional(oneOf(["answered", "no_answer"])),
  useful: Type.Optional(oneOf(["true", "false"])),
  since: Type.Optional(dayOrTime()),
})

export const keptAnswer = Type.Object(
  {
    id: Type.String(),
    question: Type.String(),
    page: textOrNull,
    status: oneOf(["answered", "no_answer"]),
    answer: Type.String(),
    sources: Type.Array(source),
    useful: Type.Union([Type.Boolean(), Type.Null()]),
    reason: Type.Union([oneOf(feedbackReasons), Type.Null()], { description: "why it did not help" }),
    conversation: Type.Union([Type.String(), Type.Null()], {
      description: "id of the answer that began the conversation; null for one that follows no other",
    }),
    chosen_answer: Type.Union([Type.String(), Type.Null()], {
      description: "id of the owner's answer that was given; null for any other",
    }),
    asked_at: time,
  },
  { $id: "Answer" },
)
export type KeptAnswer = Static<typeof keptAnswer>

export const statisticsQuery = Type.Object({
  since: Type.Optional(dayOrTime({ description: "30 days ago when absent" })),
})

export const statisticsAnswer = Type.Object(
  {
    asked: Type.Integer(),
    answered: Type.Integer(),
    useful: Type.Integer(),
    useless: Type.Integer(),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: "in the owner's time zone" }),
        asked: Type.Integer(),
        answered: Type.Integer(),
      }),
    ),
    unanswered: Type.Array(
      Type.Object({
        question: Type.String(),
        state: oneOf(["open", "treated", "off_topic"]),
        times: Type.Integer(),
        last_at: time,
        others: Type.Array(Type.String()),
      }),
      { description: "questions that ask for the same thing, the most frequent first; at most 100" },
    ),
  },
  { $id: "AnswerStatistics" },
)

export const chosenAnswerAnswer = Type.Object(
  {
    id: Type.String(),
    questions: Type.Array(Type.String()),
    answer: Type.String(),
    sources: Type.Array(
      Type.Object({
        url: Type.String(),
        title: textOrNull,
        section: textOrNull,
        found: Type.Boolean({ description: "whether it is a passage of the live index" }),
      }),
    ),
    given: Type.Boolean({ description: "false while none of its sources is in the live index" }),
    created_at: time,
    changed_at: time,
  },
  { $id: "ChosenAnswer" },
)
export type ChosenAnswerAnswer = Static<typeof chosenAnswerAnswer>

export const trialAnswer = Type.Object(
  {
    status: oneOf(["answered", "no_answer"]),
    answer: Type.String(),
    sources: Type.Array(source),
    answerable: Type.Boolean(),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    passages: Type.Array(
      Type.Object({ score: Type.Number(), title: Type.String(), section: textOrNull, url: Type.String() }),
    ),
  },
  { $id: "Trial" },
)
